"""Session cookies: a login's result, kept by the browser and sent with every request.

What it finds
    The default and custom cookies; the session cookies of frameworks, identity proxies and applications, by name; and
    any other cookie that a login's answer issued on the same host, HttpOnly and random-looking.

Why it matters
    Browsers send a cookie whether or not the page meant to, so these endpoints also need a defence against forged
    requests. And a session is not yet a user: most frameworks open one for every visitor.

How it decides
    The value is there and no placeholder. A framework's session counts until this host was seen to hand the cookie to
    a request without credentials that was no login; then it is listed as unproven and not counted, until a login
    issues or rotates it. One whose name holds an application's own word (`tea_session`) is unproven, too, while no login
    issued it and its value does not look random (`promo_session=seen`). A cookie with a Domain is known on all hosts
    below it. Affinity, bot-management, consent, analytics and CSRF cookies never count.

Known misses
    An application's own session cookie whose login was not seen. A visitor's session that a login turns into a user's
    without a new value stays unproven (and the application has a session fixation flaw). Sources that show no
    Set-Cookie cannot tell visitors from users.

Standards and references
    RFC 6265 sections 4.1.2.6 (HttpOnly), 5.4 and 8.4 (session identifiers); RFC 6265bis section 4.1.3 (name prefixes);
    the sources beside each name in core/auth/families.
"""

from gatecrash.core.auth.families.session_cookies import COOKIES
from gatecrash.core.auth.parameter_type import plain
from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Rule, Scheme, verdicts
from gatecrash.core.point import Point

_VERDICTS = verdicts(AuthType.COOKIE, Kind.SESSION)
_PERCENT = ord("%")


def judge(candidate: Candidate) -> Judgement:
    """Cookie-based: a session, which what the host does with it may still belie."""
    value = candidate.value
    if _PERCENT in value or value.startswith(b'"'):
        value = plain(value)
    return _VERDICTS[not is_placeholder(value)]


SCHEME: Scheme = Scheme(
    type=AuthType.COOKIE,
    judge=judge,
    rules=tuple(Rule(Point((*COOKIE_STEPS, row.name)), row.source, pattern=row.pattern) for row in COOKIES),
)
