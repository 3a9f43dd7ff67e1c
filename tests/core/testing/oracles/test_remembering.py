"""A short text is looked at once, a long one each time, and what else decides is not forgotten."""

from gatecrash.core.testing.oracles.remembering import ENTRIES, LONGEST, remembered


def test_a_short_text_is_looked_at_once_and_a_long_one_each_time() -> None:
    seen: list[int] = []

    def measure(text: str) -> int:
        seen.append(len(text))
        return len(text)

    quick = remembered(measure)
    short, long = "a" * LONGEST, "a" * (LONGEST + 1)
    assert [quick(short), quick(short), quick(long), quick(long)] == [LONGEST, LONGEST, LONGEST + 1, LONGEST + 1]
    assert seen == [LONGEST, LONGEST + 1, LONGEST + 1]


def test_other_arguments_tell_findings_apart() -> None:
    quick = remembered(lambda data, times: data * times)
    assert [quick(b"a", 1), quick(b"a", 2), quick(b"a", 1)] == [b"a", b"aa", b"a"]


def test_the_number_of_findings_is_bounded() -> None:
    seen: list[str] = []
    quick = remembered(seen.append)
    for number in range(ENTRIES + 1):
        quick(str(number))
    quick("0")
    assert seen.count("0") == 2
