"""What an identity of a profile tells of itself."""

from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.profiles.profile import Once, Placed, ProfileIdentity, Step, Take

VALUE = Placed(("header", "X-A"), "v")


def test_a_probe_may_know_its_name_and_rank() -> None:
    assert ProfileIdentity(name="a", rank=3, values=(VALUE,)).identity == Identity("a", 3)
    assert ProfileIdentity(name="a", values=(VALUE,)).points == (("header", "X-A"),)


def test_whose_requests_must_wait_for_each_other() -> None:
    step = Step(method="GET", url="/")
    assert not ProfileIdentity(name="a", values=(VALUE,), once=(Once(values=(VALUE,)),)).one_at_a_time
    assert ProfileIdentity(name="a", once=(Once(values=(VALUE,), steps=(step,)),)).one_at_a_time
    assert ProfileIdentity(name="a", renew=(Take("t", "header", "X"),)).one_at_a_time
