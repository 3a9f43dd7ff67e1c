"""Which findings have one cause, so that one change mends them all.

Most flaws sit in one operation: a statement put together, a check left out. A few sit in what stands before all
operations, in whoever verifies tokens, sessions and keys, believes what a header or a cookie says of rights, answers for origins,
takes the messages of all operations at one address, leads on by the whole address or by a header, hands out the files of
a folder, reads bytes or words errors, and are found wherever a test looks. Where things are put under
names of their own, one operation has an address for each of them. A finding's code still belongs to its endpoint
(decisions 3); reports for people tell the cause once, with the endpoints it was found at.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from gatecrash.core.testing.authorization.tokens.jwt_forging import MISTAKES
from gatecrash.core.testing.oracles.leaks.kinds import OF_ERRORS
from gatecrash.core.testing.probes import auth_claimed, auth_partial, auth_session, ptrav_extension
from gatecrash.core.testing.probes.anomaly import BREAKS

# By title, as findings are stored: what verifies tokens and sessions does not know which operation asks.
_OF_THE_VERIFIER = frozenset(
    {
        *(mistake.title for mistake in MISTAKES),
        *(auth_partial.ENTRY.title, auth_partial.CASELESS),
        *(auth_session.ENTRY.title, auth_session.GIVEN_AWAY),
    }
)
# A parameter is an operation's own; a header or a cookie is read for all of them.
_WHERE_SENT_ALONG = frozenset({auth_claimed.ENTRY.title})
_OF_THE_WHOLE_HOST = frozenset({"cors"})
# Which sites may ask is looked at before a message is read that says which operation is meant.
_OF_THE_ADDRESS = frozenset({"csrf"})
# And one parser reads the messages of all operations.
_OF_THE_PARSER, _WHOLE_MESSAGE = "xxe", "post"
# Whoever puts addresses right does so before an operation is chosen, and so does who believes what a header says of the host.
_LEADS_ON, _HANDS_OUT, _WHOLE_ADDRESS = "redir", "ptrav", "uri"
_METHOD_AND_PATH = 2
# The bytes that break one value mostly break them all, in one decoder; and one handler words all errors.
_AT_ANY_POINT = (*OF_ERRORS, BREAKS)


def cause_of(one: Mapping[str, Any]) -> tuple[str, ...]:
    """What is the same for two findings of one cause: their code, or for what sits before all operations its flaw.

    That is the type, the title, the point (of bytes and errors none: they were tried wherever came first) and the host; of what is
    asked from other sites, and of what a parser reads whole, the address, where its messages say which operation is meant; of files
    the first part of the path, too. Of what is put or handed out under its own name the address above it.
    one: a finding as the API shows it.
    """
    host, _, path = one["url"].partition("://")[2].partition("/")
    suppressed = str(bool(one.get("suppressed")))
    if one["title"].startswith(_AT_ANY_POINT):
        return (one["type"], one["title"], host, suppressed)
    point = "/".join(one["point"][0]) if one["point"] else ""
    goes_along = one["title"] in _WHERE_SENT_ALONG and point.startswith("header/")
    leads_on = one["type"] == _LEADS_ON and (point == _WHOLE_ADDRESS or point.startswith("header/"))
    if one["type"] == _HANDS_OUT and point == _WHOLE_ADDRESS:
        return (one["type"], one["title"], host, path.partition("/")[0], suppressed)
    names_operation = len(one["endpoint"].split()) > _METHOD_AND_PATH
    is_parser = one["type"] == _OF_THE_PARSER and point == _WHOLE_MESSAGE
    if (one["type"] in _OF_THE_ADDRESS or is_parser) and names_operation:
        return (one["type"], one["title"], one["url"].partition("?")[0], suppressed)
    if one["type"] in _OF_THE_WHOLE_HOST or one["title"] in _OF_THE_VERIFIER or goes_along or leads_on:
        return (one["type"], one["title"], point, host, suppressed)
    above, _, name = one["endpoint"].rpartition("/")
    is_name = point == f"path/{above.count('/')}" or one["title"] == ptrav_extension.ENTRY.title
    if one["type"] == _HANDS_OUT and is_name:
        return (one["type"], host, above, suppressed)
    if one["method"] == "PUT" and _is_told(unquote(name), one.get("baseline_request") or ""):
        return (one["type"], one["title"], point, host, above, suppressed)
    return (one["code"],)


def _is_told(name: str, request: str) -> bool:
    """Whether the JSON of a request says the name itself, as a thing's own is said and no operation's."""
    try:
        sent = json.loads(request.partition("\r\n\r\n")[2])
    except (ValueError, RecursionError):
        return False
    return isinstance(sent, dict) and name in sent.values()
