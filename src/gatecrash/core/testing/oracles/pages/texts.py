"""The long texts of a page, and whether another answer shows them: so a page is known again within the answer of who fetched it."""

from gatecrash.core.testing.oracles.difference import Reading

_SHORTEST = 12
_NO_TEXT = ("status", "header", "cookie", "tag")


def texts_of(reading: Reading) -> frozenset[str]:
    """The texts of an answer that are long enough to stand nowhere else by chance, and hold no time."""
    return frozenset(
        value
        for where, value in reading.facts
        if len(value) >= _SHORTEST and not where.startswith(_NO_TEXT) and "<time>" not in value
    )


def shows(reading: Reading, texts: frozenset[str]) -> bool:
    """Whether an answer shows most of these texts, in whatever escaping."""
    said = "\n".join(value for _, value in reading.facts)
    return sum(1 for text in texts if text in said) * 2 > len(texts)
