# Reports a case that is right and one that is wrong.
import cases

cases.case("right")
with cases.steps("wrong"):
    assert 1 == 2, "one is not two"
cases.done()
