# Pages with one fault each, and what check_markdown.py and run_blocks.py say.
import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))
import cases
import check_markdown
import run_blocks


class Markdown(unittest.TestCase):
    def faults(self, text):
        return [what for _, what in check_markdown.faults_of(text, True)]

    def test_sound_page(self):
        page = "# Title\n\n| a | b |\n|---|---|\n| 1 \\| 2 | 3 |\n\n## Part\n\n```sh slow\nls | # not a heading\n```\n"
        self.assertEqual(self.faults(page), [])

    def test_each_fault(self):
        for page, word in [
            ("# T\n```sh\nls\n", "does not close"),
            ("# T\n```\nls\n```\n", "no language"),
            ("# T\n```zig\nls\n```\n", "unknown block"),
            ("# T\n```sh fast\nls\n```\n", "unknown block"),
            ("# T\n|a|b|\n|---|---|\n|1|\n", "1 cells in a table of 2"),
            ("# T\n### Deep\n", "level 3 after level 1"),
            ("# T\n# U\n", "one title"),
            ("# T\n##Part\n", "no blank"),
            ("words\n", "no title"),
        ]:
            with self.subTest(page):
                found = self.faults(page)
                self.assertEqual(len(found), 1, found)
                self.assertIn(word, found[0])


class Blocks(unittest.TestCase):
    def test_kinds(self):
        text = "```sh\na\n```\n```sh slow\nb\n```\n```text\nc\n```\n  ```sh shown\n  d\n  ```\n"
        self.assertEqual([m[2] for m in run_blocks.BLOCK.finditer(text)], [None, "slow", "shown"])

    def test_running(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(run_blocks.run("touch here\nls here\n", folder, os.environ))
            self.assertTrue((pathlib.Path(folder) / "here").exists())
            for block in ("false\ntrue\n", "echo $unset_variable\n", "false | true\n"):
                self.assertIn("exit 1", run_blocks.run(block, folder, os.environ))

    def test_shown(self):
        self.assertIsNone(run_blocks.look_at("make run  # all\n", "run: build\n"))
        self.assertIn("no target", run_blocks.look_at("make rnu\n", "run: build\n"))
        self.assertTrue(run_blocks.look_at("if true\n", ""))


cases.unittests()
