"""The order in which baselines are tested: safe methods first, and last what destroys what the tests stand on.

A scanner that changes its own account's role, or signs itself out, half way, reports the rest as clean.
"""

from collections.abc import Collection, Iterable, Mapping

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.fields.balances import amount_named, moves_money
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.destruction import CHANGES_RIGHTS, ENDS_SESSION, deletes, destroys, resets_all
from gatecrash.core.testing.effects.let_out import lets_out
from gatecrash.core.testing.effects.made_from import layers
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.effects.sign_out import becomes_another, ends_account
from gatecrash.core.testing.effects.writes import configures, sets_by_link
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.selection.alike import each_kind_first

_SAFE, CHANGING, DESTRUCTIVE, _RIGHTS, _SESSION = range(5)


def rank(request: Request) -> int:
    """0 for safe requests, GraphQL queries and calls that only read, 1 for those that change something, DESTRUCTIVE and
    more for those that can destroy or lock an account, or move money: these are tested one after the other.

    The session goes last, and before it what may end it: what else is destroyed is tested in it.
    """
    if ends_account(request) or becomes_another(request):
        return _SESSION
    why = destroys(request)
    if why:
        return {CHANGES_RIGHTS: _RIGHTS, ENDS_SESSION: _SESSION}.get(why, DESTRUCTIVE)
    if signs_in(request):
        return DESTRUCTIVE
    if is_safe(request) or only_queries(request) or is_question(request):
        return DESTRUCTIVE if deletes(request) or resets_all(request) or sets_by_link(request) else _SAFE
    if configures(request) or deletes(request):
        return DESTRUCTIVE
    # Nobody can tell what a balance was moved by while others move it, too.
    return DESTRUCTIVE if moves_money(request) and amount_named(request) is not None else CHANGING


def rank_of(baseline: Baseline) -> int:
    """The rank of its request, and of what was answered by the end of its session, whatever it is called."""
    return _SESSION if lets_out(baseline.exchange) else rank(baseline.request)


def in_order(baselines: Iterable[Baseline]) -> list[Baseline]:
    """The baselines in the order of testing: of equals that destroy nothing the first of each kind first, else as
    recorded. Nobody has sent a draft yet: what it does to an object (`/users/5/role`) goes before the one that deletes
    it, and would leave nothing to be tested; and what others are made from is deleted behind them.
    """
    ranked = [(rank_of(each), each) for each in baselines]
    ranks = {id(each): order for order, each in ranked}
    harmless = each_kind_first([each for order, each in ranked if order < DESTRUCTIVE])
    several = [*harmless, *(each for order, each in ranked if order >= DESTRUCTIVE)]
    drafts = {
        each.request.path for each in several if each.exchange.drafted and each.request.method.upper() == "DELETE"
    }
    made_from = layers(several)
    return sorted(several, key=lambda each: _place(each, ranks[id(each)], drafts, made_from))


def _place(
    baseline: Baseline, order: int, deleted: Collection[bytes], made_from: Mapping[bytes, int]
) -> tuple[int, int]:
    request, steps = baseline.request, baseline.request.path.split(b"/")
    uppers = (b"/".join(steps[:length]) for length in range(len(steps) - 1, 1, -1))
    goes_along = deleted and DESTRUCTIVE <= order < _SESSION and baseline.exchange.drafted
    if goes_along and any(map(deleted.__contains__, uppers)):
        return (DESTRUCTIVE, -len(steps))
    is_deleted = goes_along and request.method.upper() == "DELETE"
    return (order, made_from.get(request.path, 0) if is_deleted else 0)
