"""In the place of which recorded sessions others are begun, where some of them ended."""

from collections.abc import Collection, Sequence

from gatecrash.core.testing.profiles.entrance import registers
from gatecrash.core.testing.profiles.recorded_session import LoginAddress, RecordedSession


def begun_anew(sessions: Sequence[RecordedSession], dead: Collection[LoginAddress]) -> list[RecordedSession]:
    """Those of the logins at which some ended, and behind them those of the logins by which alone somebody else came to these
    hosts, as who manages does: without them he would be no user of the run. dead: logins whose sessions are over at the
    target.
    """
    logins = {each.address for each in sessions if each.ended or each.address in dead}
    ended = [each for each in sessions if each.values and each.address in logins]
    users, hosts = {(each.host, each.name) for each in ended}, {each.host for each in ended}
    # Who has a token of another login beside keeps that one as it was recorded, unless others come by it anew.
    beside = [each for each in sessions if each.values and each.host in hosts and not registers(each.login.request)]
    others = {each.address for each in beside if (each.host, each.name) not in users}
    return [*ended, *(each for each in beside if each.address in others - logins)]
