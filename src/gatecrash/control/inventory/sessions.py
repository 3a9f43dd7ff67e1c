"""What one node learned of session cookies, for the client's other nodes. Names only. Part of `services`."""

from collections import Counter
from collections.abc import Iterable

from gatecrash.control import wall
from gatecrash.control.accounts.services import bump_config
from gatecrash.control.clock import now
from gatecrash.control.inventory.models import LIKELY, LearnedSession
from gatecrash.core.auth.families.session_cookies import LISTED
from gatecrash.core.auth.sessions import MOST_LEARNED, LearnedCookie, State

MOST_HOSTS = 1000
_LONGEST_HOST = 300
_LONGEST_NAME = 256


def learn(cookies: Iterable[LearnedCookie]) -> bool:
    """Take over states of session cookies in the caller's transaction; whether any was news, which nodes then hear of.

    A login seen by one node is proof for all, and for good. At most 50 names a host are kept that no table lists, and
    1,000 hosts.
    """
    wanted = {(one.host, one.name): one for one in cookies if _is_storable(one)}
    if not wanted:
        return False
    rows = LearnedSession.objects.filter(host__in={host for host, _ in wanted})
    known = {(row.host, row.name): row.state for row in rows}
    counts = Counter(host for host, name in known if name not in LISTED)
    room = MOST_HOSTS - LearnedSession.objects.values("host").distinct().count()
    hosts = {host for host, _ in known}
    fresh: list[LearnedSession] = []
    proven: list[tuple[str, str]] = []
    for (host, name), cookie in wanted.items():
        if (host, name) in known:
            if cookie.state is State.PROVEN and known[host, name] != State.PROVEN:
                proven.append((host, name))
            continue
        if host not in hosts and room <= 0:
            continue
        if name not in LISTED:
            if counts[host] >= MOST_LEARNED:
                continue
            counts[host] += 1
        room -= host not in hosts
        hosts.add(host)
        state = LIKELY if cookie.likely else cookie.state.value
        fresh.append(LearnedSession(host=host, name=name, state=state, learned_at=now()))
    LearnedSession.objects.bulk_create(fresh, ignore_conflicts=True)
    for host, name in proven:
        LearnedSession.objects.filter(host=host, name=name).update(state=State.PROVEN.value, learned_at=now())
    if fresh or proven:
        bump_config(wall.required())
    return bool(fresh or proven)


def _is_storable(one: LearnedCookie) -> bool:
    texts = (one.host, one.name)
    return (
        all(text and "\x00" not in text for text in texts)
        and len(one.host) <= _LONGEST_HOST
        and len(one.name) <= _LONGEST_NAME
    )
