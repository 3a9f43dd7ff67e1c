"""How much of what one answer says another one says as well, and whether that is worth being asked for."""

from collections.abc import Mapping, Sequence

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.difference import MARKUP, Fact, Reading, stable
from gatecrash.core.testing.oracles.difference import read as read_answer
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_taken, refusal

_NEARLY_ALL = 0.8
_WORDS_OF_A_LINE = 4


def tells_as_much(before: Response, after: Response) -> bool:
    """Whether a later answer says nearly all that an earlier one says; entries of its lists wherever they stand now."""
    if after.status != before.status or refusal(after, before) is not None:
        return False
    told = frozenset(leaves(before)) if "json" in media_type(before) else frozenset()
    if told:
        return len(told & frozenset(leaves(after))) >= _NEARLY_ALL * len(told)
    said = frozenset(fact for fact in read_answer(before).facts if not fact[0].startswith(MARKUP))
    return bool(said) and has_nearly_all(after, said)


def only_told(readings: Sequence[Reading], stranger: Response) -> frozenset[Fact]:
    """What every good answer says and an answer without credentials does not; what only frames it left out."""
    mine = stable(readings) - read_answer(stranger).facts
    return frozenset(fact for fact in mine if not fact[0].startswith(MARKUP))


def says_enough(facts: frozenset[Fact]) -> bool:
    """Whether this much is worth being asked for: several values, a file, or a line of text with several words, as
    exports and the paragraphs of pages have them. One word alone is a state, and so may be a member of one line.
    """
    if len(facts) > 1 or any(where == "bytes" for where, _ in facts):
        return True
    texts = (said for at, said in facts if at.startswith(("line ", "text ")) or "\n" in said.strip())
    return any(len(said.split()) >= _WORDS_OF_A_LINE for said in texts)


def has_nearly_all(response: Response, facts: frozenset[Fact], echoes: Mapping[str, str] | None = None) -> bool:
    """Whether an answer that is no refusal says nearly all of it: views add what depends on who looks. echoes: texts that
    were sent, and what to read in their place.
    """
    if not is_taken(response):
        return False
    return len(facts & read_answer(response, echoes).facts) >= _NEARLY_ALL * len(facts)
