# The primer of exercises/mlir: every snippet computes the lab that its first
# line names, on each target it can run on, and every term has its row. LABGEN
# and LABGEN_OPT name the tools.
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRIMER = (ROOT / "exercises/mlir/primer.md").read_text()
SNIPPETS = re.findall(r"^```mlir\n(.*?)^```$", PRIMER, re.M | re.S)
TERMS = ["op", "dialect", "module", "SSA value", "type", "attribute", "region", "block"]
DIALECTS = ["lab", "memref", "arith", "vector", "scf", "gpu"]


def command(*words, cwd=None):
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)


class Primer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def row(self, spec, target):
        words = [os.environ["LABGEN"], "run", "snippet.mlir", "--spec", spec, "--target", target, "--no-time", "--json"]
        got = command(*words, *([] if target.startswith("cpu") else ["--device", "emu"]), cwd=self.folder)
        self.assertEqual(got.stderr, "")
        return json.loads(got.stdout)

    def test_snippets_run(self):
        self.assertEqual(len(SNIPPETS), 4)
        for text in SNIPPETS:
            spec = re.match(r"// (\S+)\n", text)[1]
            (self.folder / "snippet.mlir").write_text(text)
            # What asks for threads is for GPUs alone.
            for target in ["nvvm:sm_90a", "rocdl:gfx942"] + ["cpu:native"] * ("threads" not in text):
                with self.subTest(spec=spec, target=target):
                    row = self.row(spec, target)
                    self.assertEqual((row["status"], row["findings"]), ("ok", []), row["reason"])

    def test_snippets_are_read_and_printed(self):
        for text in SNIPPETS:
            (self.folder / "snippet.mlir").write_text(text)
            once = command(os.environ["LABGEN_OPT"], "snippet.mlir", cwd=self.folder)
            self.assertEqual((once.stderr, once.returncode), ("", 0))
            # The ops are those that the text shows.
            ops = lambda ir: re.findall(r"\b(?:lab|memref|arith|vector|scf|gpu|affine|func)\.[a-z_]+(?= |$|\()", ir)
            self.assertEqual(sorted(set(ops(text)) - {"func.func"}), sorted(set(ops(once.stdout)) - {"func.func"}))

    def test_terms_and_dialects(self):
        for term in TERMS:
            self.assertRegex(PRIMER, rf"(?m)^\| {term} \|")
        for term in ("ops", "pass", "pipeline", *(f"`{dialect}`" for dialect in DIALECTS)):
            self.assertIn(f"**{term}**", PRIMER)

    def test_words_of_the_table_are_in_the_first_snippet(self):
        for row in re.findall(r"^\| [\w ]+ \| .* \| (.*) \|$", PRIMER, re.M):
            for word in re.findall(r"`([^`]*)`", row):
                self.assertIn(word, SNIPPETS[0])

    def test_ops_of_the_drills_are_explained(self):
        """Each dialect of the drills, and the ops that read differently than they look."""
        drills = "".join(path.read_text() for path in (ROOT / "exercises/mlir").glob("0*.mlir"))
        for name in set(re.findall(r"\b([a-z]+)\.[a-z_]+ ", "\n".join(
                line for line in drills.splitlines() if not line.lstrip().startswith("//")))):
            self.assertRegex(PRIMER, rf"`{name}[.`]", name)
        for words in ("extsi", "shrui", "shrsi", "divui", "affine.apply", "vector.broadcast", "gpu.barrier", "gpu.thread_id"):
            self.assertIn(words, PRIMER)

    def test_two_pages(self):
        self.assertLessEqual(len(PRIMER.splitlines()), 160)


if __name__ == "__main__":
    unittest.main()
