"""Which members of data a script does something else with than to write them as markup: it shows them as text, or hands them to
what may escape them, or sets them. Nobody knows then whether what is drawn elsewhere is the same member, or is still as it was.

In a script that people read, what escapes is known by its name. A bundler leaves no names: there each function that is handed a
member counts, be it the framework's own for texts, and each member or list of what an element holds.

doubts(read, drawn)    [Use("title", owner, beside)]
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gatecrash.core.testing.oracles.scripts.scopes import Scopes, Variable
from gatecrash.core.testing.oracles.scripts.tokens import NAME, NUMBER, SIGN, TEXT, Tokens
from gatecrash.core.testing.oracles.scripts.values import Member, Values

_TREATS: Final = re.compile(r"esc|clean|strip|encode|safe|plain|purif|sanit|createTextNode|\Atext\Z", re.IGNORECASE)
_AS_TEXT: Final = frozenset({"textContent", "innerText", "nodeValue", "children"})
_CALLS_NOTHING: Final = frozenset({"if", "for", "while", "switch", "return", "catch", "with", "console", "log"})
_SETS: Final = ("=", "+=", "||=", "??=")
_CONDITION: Final = ("?", "&&", "===", "!==", "==", "!=", "<", ">", "<=", ">=", "=>")


class Use(NamedTuple):
    """A member that something else is done to."""

    name: str
    member: Member


class Uses:
    """Of one script. packed: a bundler has given its variables other names."""

    def __init__(self, tokens: Tokens, scopes: Scopes, values: Values, *, packed: bool) -> None:
        """Of a script that was taken apart."""
        self.tokens, self.scopes, self.values, self.packed = tokens, scopes, values, packed
        self.shapes: dict[tuple[object, tuple[str, ...]], set[str]] = {}

    def read(self, drawn: frozenset[int]) -> list[Use]:
        """All doubtful uses; and the shapes of all objects, by what is asked of them. drawn: places that are written as markup."""
        found: list[Use] = []
        for place, kind in enumerate(self.tokens.kinds):
            if kind != NAME or self.tokens.is_member(place):
                continue
            member, end = self.values.member_at(place)
            if member is None:
                continue
            if self.tokens.is_sign(end, "("):
                continue
            self._shape(member)
            if place not in drawn and self._is_doubtful(place, end):
                found.append(Use(member.names[-1], member))
        for variable in self.scopes.variables():
            found += self._by_variable(variable, drawn)
        return found

    def _shape(self, member: Member) -> None:
        """What is asked of the member's object, and of those that it stands in."""
        root, way = member.owner
        self.shapes.setdefault(member.owner, set()).add(member.names[-1])
        for depth, name in enumerate(way):
            if name in member.names:
                self.shapes.setdefault((root, way[:depth]), set()).add(name)

    def _by_variable(self, variable: Variable, drawn: frozenset[int]) -> Iterator[Use]:
        """What is done to a variable that holds a member."""
        member: Member | None = None
        if variable.member:
            member = Member((variable.member,), (variable, ()), -1, variable.beside)
        else:
            for given in variable.given:
                member = self.values.member_at(given)[0] or member
        if member is None:
            return
        if (variable.member and any(not self.tokens.is_sign(given - 1, "+=") for given in variable.given)) or any(
            use not in drawn and self._is_doubtful(use, use + 1) for use in variable.uses
        ):
            yield Use(member.names[-1], member)

    def _is_doubtful(self, place: int, end: int) -> bool:
        tokens = self.tokens
        if tokens.is_sign(end, *_SETS):
            return end - place > 1
        if tokens.is_sign(end, *_CONDITION):
            return False
        before = self._before(place)
        if before < 0:
            return False
        if tokens.is_sign(before, "=>") or tokens.is_name(before, "return"):
            return self.packed  # What a function gives back goes nobody knows where.
        if tokens.is_sign(before, "=", "+=", ":"):
            return tokens.is_name(before - 1) and tokens.texts[before - 1] in _AS_TEXT
        if tokens.is_sign(before, ",") and not tokens.is_sign(tokens.within[before], "(", "["):
            return False
        opens = tokens.within[before] if tokens.is_sign(before, ",") else before
        return self._is_handed(opens) or self._is_listed(opens)

    def _before(self, place: int) -> int:
        """What stands before all that the value is put together with."""
        tokens = self.tokens
        place -= 1
        while place >= 0:
            if tokens.is_sign(place, "+") and place > 0 and tokens.kinds[place - 1] in (TEXT, NUMBER):
                place -= 2
            elif tokens.is_sign(place, "+") and tokens.is_sign(place - 1, ")") and place - 1 in tokens.partner:
                place = tokens.partner[place - 1] - 1
            elif (tokens.is_sign(place, "(") and not tokens.is_value(place - 1)) or tokens.is_name(place, "await"):
                place -= 1
            else:
                return place
        return -1

    def _is_handed(self, opens: int) -> bool:
        """Whether the bracket there opens a call of what may treat it."""
        tokens = self.tokens
        if not tokens.is_sign(opens, "(") or not tokens.is_value(opens - 1):
            return False
        name = tokens.texts[opens - 1] if tokens.kinds[opens - 1] == NAME else ""
        return (name not in _CALLS_NOTHING) if self.packed else _TREATS.search(name) is not None

    def _is_listed(self, opens: int) -> bool:
        """Whether the bracket there opens a list of what an element holds."""
        tokens = self.tokens
        if not self.packed or not tokens.is_sign(opens, "[") or tokens.is_value(opens - 1):
            return False
        return tokens.kinds[opens - 1] == SIGN
