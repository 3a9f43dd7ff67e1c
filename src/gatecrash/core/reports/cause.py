"""Which findings have one cause, so that one change mends them all.

Most flaws sit in one operation: a statement put together, a check left out. A few sit in what stands before all
operations, in whoever verifies tokens or answers for origins, and are found wherever a test looks. A finding's code still
belongs to its endpoint (decisions 3); reports for people tell the cause once, with the endpoints it was found at.
"""

from collections.abc import Mapping
from typing import Any

from gatecrash.core.testing.authorization.jwt_forging import MISTAKES

# By title, as findings are stored: what verifies tokens does not know which operation asks.
_OF_THE_VERIFIER = frozenset(mistake.title for mistake in MISTAKES)
_OF_THE_WHOLE_HOST = frozenset({"cors"})


def cause_of(one: Mapping[str, Any]) -> tuple[str, ...]:
    """What is the same for two findings of one cause: their code, or for what sits before all operations its flaw.

    That is the type, the title, the point and the host. one: a finding as the API shows it.
    """
    if one["type"] in _OF_THE_WHOLE_HOST or one["title"] in _OF_THE_VERIFIER:
        point = "/".join(one["point"][0]) if one["point"] else ""
        host = one["url"].partition("://")[2].partition("/")[0]
        return (one["type"], one["title"], point, host, str(bool(one.get("suppressed"))))
    return (one["code"],)
