"""Two runs beside each other: what is new, fixed or still there, and what nobody looked at again.

"Not found any more" is good news only where the endpoint was tested again for that type, to its end. Everything else is
not tested: a pipeline that counts it as fixed would praise a broken login.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec


class Comparison(msgspec.Struct, frozen=True):
    """Vulnerabilities of the later run (new, persisting) and of the earlier one (fixed, not_tested)."""

    new: tuple[Mapping[str, Any], ...]
    persisting: tuple[Mapping[str, Any], ...]
    fixed: tuple[Mapping[str, Any], ...]
    not_tested: tuple[Mapping[str, Any], ...]


def compare(
    earlier: Iterable[Mapping[str, Any]],
    later: Iterable[Mapping[str, Any]],
    *,
    tested: Collection[tuple[str, str]],
    types: Collection[str],
    reached: Callable[[Mapping[str, Any]], bool] = lambda _: True,
) -> Comparison:
    """Compare by code. earlier, later: vulnerabilities with `code`, `type`, `host` and `endpoint`.

    tested: (host, endpoint) of the later run's baselines whose checks came to an end. types: that its policy looks for.
    reached: whether its policy lets a finding's point be tested.
    """
    before, after = _by_code(earlier), _by_code(later)
    gone = [one for code, one in before.items() if code not in after]
    looked_at = [
        one for one in gone if one["type"] in types and (one["host"], one["endpoint"]) in tested and reached(one)
    ]
    known = {one["code"] for one in looked_at}
    return Comparison(
        new=tuple(one for code, one in after.items() if code not in before),
        persisting=tuple(one for code, one in after.items() if code in before),
        fixed=tuple(looked_at),
        not_tested=tuple(one for one in gone if one["code"] not in known),
    )


def _by_code(found: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """One finding of each code: the same flaw may be found at several baselines."""
    first: dict[str, Mapping[str, Any]] = {}
    for one in found:
        first.setdefault(one["code"], one)
    return dict(sorted(first.items()))
