"""Which siblings merge: 30 or more that are alike in all, none of which carries too much."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.merging import LARGEST_SHARE, LEAST_SIBLINGS, Known, balanced, merge_siblings


def known(path, requests=10, status="consistent", types=("bearer",), method="GET", host="h") -> Known:
    return Known(EndpointKey("rest", method, host, path), requests, types, status)


def flat(count=40, **how) -> list[Known]:
    return [known(f"/api/n{number}", **how) for number in range(count)]


def merged(endpoints, kept_apart=()):
    return {merge.place.template: len(merge.keys) for merge in merge_siblings(endpoints, kept_apart)}


def test_thirty_that_are_alike_merge_and_twenty_nine_do_not():
    assert merged(flat(30)) == {"/api/{api_id}": 30}
    assert merged(flat(29)) == {}


def test_an_open_one_stays_apart_by_name():
    endpoints = [*flat(), known("/api/debug", status="missing", types=())]
    (merge,) = merge_siblings(endpoints)
    assert len(merge.keys) == 40
    assert all(old.path != "/api/debug" for old, _ in merge.keys)


def test_methods_types_and_subtrees_must_be_the_same():
    for other in (
        known("/api/n0", method="DELETE"),
        known("/api/n0/children"),
        known("/api/n0", types=("basic",), method="PUT"),
    ):
        (merge,) = merge_siblings([*flat(), other])
        assert len(merge.keys) == 39
        assert all(not old.path.startswith("/api/n0/") and old.path != "/api/n0" for old, _ in merge.keys)


def test_a_subtree_moves_with_its_parent():
    endpoints = [*flat(), *(known(f"/api/n{number}/state") for number in range(40))]
    (merge,) = merge_siblings(endpoints)
    assert {new.path for _, new in merge.keys} == {"/api/{api_id}", "/api/{api_id}/state"}
    assert len(merge.keys) == 80


def test_one_that_carries_too_much_stays_apart():
    (merge,) = merge_siblings([*flat(), known("/api/busy", requests=101)])
    assert all(old.path != "/api/busy" for old, _ in merge.keys)
    assert merged([*flat(), known("/api/busy", requests=100)]) == {"/api/{api_id}": 41}


def test_two_groups_that_differ_get_a_template_each():
    endpoints = [*flat(40), *(known(f"/api/open{number}", status="missing", types=()) for number in range(35))]
    assert merged(endpoints) == {"/api/{api_id}": 40, "/api/{api_id_2}": 35}


def test_later_siblings_join_their_like_and_no_other():
    guarded, opened = known("/api/{api_id}"), known("/api/{api_id_2}", status="missing", types=())
    assert merged([*flat(), guarded, opened]) == {"/api/{api_id}": 40}
    assert merged([*flat(status="missing", types=()), guarded, opened]) == {"/api/{api_id_2}": 40}
    assert merged([*flat(status="partial"), guarded, opened]) == {"/api/{api_id_3}": 40}


def test_a_template_of_their_like_is_one_sibling_more():
    """A node lets 29 names out and shows all others as one parameter."""
    busy = known("/api/{api_id}", requests=1000)
    assert merged([*flat(29), busy]) == {"/api/{api_id}": 29}
    assert merged([*flat(28), busy]) == {}
    assert merged([*flat(29), known("/api/{api_id}", status="missing", types=())]) == {}
    assert merged([*flat(29), known("/api/{date}")]) == {}


def test_what_the_user_keeps_apart_stays():
    assert merged(flat(), [HostTemplate("h", "/api/{api_id}")]) == {}
    assert merged(flat(), [HostTemplate("", "/api/{api_id}")]) == {}
    assert merged(flat(), [HostTemplate("other", "/api/{api_id}")]) == {"/api/{api_id}": 40}


def test_hosts_are_apart():
    assert merged([known(f"/api/n{number}", host=f"h{number % 2}") for number in range(40)]) == {}


names = st.dictionaries(st.integers().map(str), st.integers(0, 1000), max_size=60)


@given(names)
def test_balanced_names_are_enough_and_none_carries_too_much(requests):
    chosen = balanced(requests, requests)
    total = sum(requests[name] for name in chosen)
    assert not chosen or len(chosen) >= LEAST_SIBLINGS
    assert all(requests[name] * 100 <= LARGEST_SHARE * total for name in chosen)


kinds = st.sampled_from([("consistent", ("bearer",)), ("missing", ()), ("partial", ("bearer",))])
trees = st.lists(
    st.tuples(st.integers(0, 70), st.sampled_from(["", "/state"]), kinds, st.integers(0, 50)), max_size=200
)


def endpoints_of(tree) -> list[Known]:
    found = {}
    for number, below, (status, types), requests in tree:
        one = known(f"/api/n{number}{below}", requests, status, types)
        found[one.key] = one
    return list(found.values())


@settings(deadline=None)  # a busy machine is no finding
@given(trees)
def test_merged_ones_are_alike_and_every_endpoint_moves_once_at_most(tree):
    endpoints = endpoints_of(tree)
    by_key = {one.key: one for one in endpoints}
    moved = [old for merge in merge_siblings(endpoints) for old, _ in merge.keys]
    assert len(moved) == len(set(moved))
    for merge in merge_siblings(endpoints):
        for path in {new.path for _, new in merge.keys}:
            like = {(by_key[old].status, by_key[old].types) for old, new in merge.keys if new.path == path}
            assert len(like) == 1
            assert sum(new.path == path for _, new in merge.keys) >= LEAST_SIBLINGS


@settings(deadline=None)  # a busy machine is no finding
@given(trees)
def test_deciding_again_after_the_merges_changes_nothing(tree):
    endpoints = endpoints_of(tree)
    renamed = {old: new for merge in merge_siblings(endpoints) for old, new in merge.keys}
    after = {}
    for one in endpoints:
        key = renamed.get(one.key, one.key)
        after[key] = Known(key, one.requests, one.types, one.status)
    assert merge_siblings(after.values()) == ()
