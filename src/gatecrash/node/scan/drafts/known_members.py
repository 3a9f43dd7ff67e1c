"""Values for a refused request's fields out of answers that have members of the same name.

What one answer hands out another request wants back: `{"state": "gASV…"}` of a basket for the request that restores it, the
`category` of a row for a field that takes no made-up one, the `code` of a row of `/bikes` for a `bike_code`.
"""

from typing import Any

from gatecrash.core.errors import GatecrashError
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.profiles.entrance import fields, kind_of_name
from gatecrash.core.words.names import plain
from gatecrash.node.scan.drafts.listed_rows import json_in, rows_of

MOST_NAMES, MOST_OF_A_LIST, DEEPEST = 500, 3, 6
_LONGEST = 16 * 1024
_PLACES = frozenset({"get", "post"})


class KnownMembers:
    """The texts of what safe requests were answered with, by their names; the first one of each."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._texts: dict[str, str] = {}

    def learn(self, response: Response, listed: str = "") -> None:
        """Take the members of a good answer. listed: what its rows are called, in the plural; empty where nobody says."""
        document = json_in(response)
        self._note(document, 0)
        thing = singular(listed.lower())
        for row in rows_of(document)[:MOST_OF_A_LIST] if thing else ():
            self._note({f"{thing}_{name}": text for name, text in row.items() if isinstance(text, str)}, 0)

    def put_into(self, request: Request) -> Request | None:
        """The request with a known text in each field of such a name; None where there is no other, or it signs somebody in.

        What may change something is not given whose account is meant: accounts that were there before have their own users, who
        would be sent a new password, or shut out.
        """
        if fields(request):
            return None
        reads = is_safe(request)
        found = {
            one.point: self._texts[name].encode("utf-8", "surrogatepass")
            for one in walk(request).points
            if one.point[0] in _PLACES
            and not one.container
            and (name := plain(one.point[-1])) in self._texts
            and not one.value.isdigit()
            and (reads or not kind_of_name(name))
        }
        try:
            changed = rewrite_many(request, found) if found else request
        except GatecrashError:
            return None
        return changed if changed != request else None

    def _note(self, value: Any, depth: int) -> None:
        if depth > DEEPEST:
            return
        if isinstance(value, list):
            for one in value[:MOST_OF_A_LIST]:
                self._note(one, depth + 1)
        elif isinstance(value, dict):
            for name, one in value.items():
                if isinstance(one, dict | list):
                    self._note(one, depth + 1)
                elif isinstance(one, str) and 0 < len(one) <= _LONGEST and len(self._texts) < MOST_NAMES:
                    self._texts.setdefault(plain(str(name)), one)
