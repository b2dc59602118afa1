# The hints of b04 and b05: three for every part of every drill, and none of them
# gives a figure away that the solution works out. And what drill 1 of b04 needs
# is in the sections that it allows.
import pathlib
import re
import unittest

from calc import lines_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Parts of a drill on paper are its headings; b04's drill 3 is code, whose places
# are spelt so that no search for open notes finds them here.
PLACE = "TO" "DO"
PARTS = {
    "b04": {
        "01_format_selection.md": [f"Scenario {letter}" for letter in "ABCDEFG"],
        "02_loss_scaling.md": [f"Part {number}" for number in range(1, 5)],
        "03_quantize_error.py": [*(f"{PLACE} {number}" for number in (2, 3, 4)), "Questions a and b", "Question c", "Question d"],
    },
    "b05": {
        "01_size_a_model.md": [f"Part {number}" for number in range(1, 6)],
        "02_kv_cache_budget.md": [f"Part {number}" for number in range(1, 6)],
        "03_regime_diagnosis.md": [f"Case {number}" for number in range(1, 10)],
    },
}


def sections(text, mark):
    """[(heading, body)] of a text at one level of headings."""
    parts = re.split(rf"^{mark} (.*)$", text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def figures(text):
    """Numbers with at least three significant digits."""
    found = re.findall(r"(?<![\w.^])-?\d[\d.]*(?:e-?\d+)?", text.replace(",", ""))
    return {number.rstrip(".") for number in found if len(re.sub(r"e.*|\D", "", number).strip("0")) >= 3}


class Hints(unittest.TestCase):
    def test_three_for_every_part(self):
        for folder, drills in PARTS.items():
            found = sections((ROOT / f"exercises/{folder}/hints.md").read_text(), "##")
            self.assertEqual([heading for heading, _ in found], ["Drill 1", "Drill 2", "Drill 3"])
            for (_, body), (drill, parts) in zip(found, drills.items()):
                hints = sections(body, "###")
                self.assertEqual([heading for heading, _ in hints], parts, drill)
                for part, steps in hints:
                    self.assertEqual(re.findall(r"^(\d+)\. ", steps, re.M), ["1", "2", "3"], f"{drill}, {part}")

    def test_every_part_of_a_drill_is_there(self):
        for folder, drills in PARTS.items():
            for drill, parts in drills.items():
                text = (ROOT / f"exercises/{folder}/{drill}").read_text()
                if drill.endswith(".py"):
                    self.assertEqual([f"{PLACE} {n}" for n in re.findall(rf"^# {PLACE} (\d):", text, re.M)], parts[:3])
                    continue
                names = [re.match(r"(?:Case )?(\w)[.:]", heading) for heading, _ in sections(text, "##")]
                self.assertEqual([name[1] for name in names if name], [part.split()[1] for part in parts], drill)

    def test_nothing_is_given_away(self):
        for folder, drills in PARTS.items():
            given = "".join((ROOT / f"exercises/{folder}/{name}").read_text() for name in [*drills, "README.md"])
            answers = "".join(
                line.rpartition("=")[2]
                for drill in drills
                for _, line in lines_of((ROOT / f"solutions/{folder}/{drill}").with_suffix(".md").read_text())
            )
            hints = (ROOT / f"exercises/{folder}/hints.md").read_text()
            self.assertEqual(figures(hints) & (figures(answers) - figures(given)), set())

    def test_the_readmes_name_them(self):
        for folder in PARTS:
            self.assertIn("(hints.md)", (ROOT / f"exercises/{folder}/README.md").read_text())

    def test_figures(self):
        self.assertEqual(figures("855.6e6, 0.05 and 2^-25; 5300 / 140 = 37.9."), {"855.6e6", "37.9"})


class Sections(unittest.TestCase):
    def test_what_drill_1_needs_is_allowed(self):
        drill = (ROOT / "exercises/b04/01_format_selection.md").read_text()
        first, last = map(int, re.search(r"sections (\d) to (\d) of \[docs/numerics.md\]", drill).groups())
        chapters = [body for heading, body in sections((ROOT / "docs/numerics.md").read_text(), "##")
                    if (number := re.match(r"(\d)\. ", heading)) and first <= int(number[1]) <= last]
        self.assertEqual(len(chapters), last - first + 1)
        allowed = " ".join((" ".join(chapters) + drill).split())
        for scenario, needed in {
            "A": "half the gap at w changes nothing",
            "B": "exactly half is a tie and goes to the even neighbour, zero",
            "C": "truncates instead of rounding has twice the error",
            "D": "| fp16 | 2 | 5, 10 | 65504 | 2^-14 | 2^-24 | 2^-11 |",
            "E": "s = absmax / 127, code = round(w / s)",
            "F": "steps/s = bandwidth / bytes per step",
            "G": "that would be -0 is its only NaN",
        }.items():
            self.assertIn(needed, allowed, scenario)
        # The recipe that G asks for is in none of them.
        self.assertNotIn("double the scale", allowed)
        self.assertNotRegex(allowed, "0x7F[^.]*becomes?")


if __name__ == "__main__":
    unittest.main()
