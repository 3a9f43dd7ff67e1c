"""In the place of which recorded sessions others are begun, where some of them ended."""

from collections.abc import Collection, Sequence

from gatecrash.core.testing.profiles.entrance import registers
from gatecrash.core.testing.profiles.recorded_session import LoginAddress, RecordedSession


def begun_anew(sessions: Sequence[RecordedSession], dead: Collection[LoginAddress]) -> list[RecordedSession]:
    """Those of the logins at which some ended, and behind them those of whoever came to these hosts by another login alone, as
    who manages does: without them he would be no user of the run. dead: logins whose sessions are over at the target.
    """
    logins = {each.address for each in sessions if each.ended or each.address in dead}
    ended = [each for each in sessions if each.values and each.address in logins]
    # Who has a token of another login beside keeps that one as it was recorded.
    users, hosts = {(each.host, each.name) for each in ended}, {each.host for each in ended}
    others = (each for each in sessions if each.host in hosts and (each.host, each.name) not in users)
    return [*ended, *(each for each in others if each.values and not registers(each.login.request))]
