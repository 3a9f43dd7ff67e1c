"""What says that a function is for those who manage."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.ranks.ranked_functions import (
    is_below_managers,
    is_of_managers,
    says_by_its_name,
    told_of_others,
)


@pytest.mark.parametrize(
    ("path", "word", "below"),
    [
        (b"/api/admin/users", "admin", ""),
        (b"/back-office", "back-office", ""),
        (b"/admin.php", "admin", ""),
        (b"/board/admin_users.php", "admin_users", ""),
        (b"/index.php?page=admin_users", "admin_users", ""),
        (b"/index.php?page=admin/users", "admin", ""),
        (b"/admin_contact.php", "", ""),
        (b"/index.php?page=messages&word=admin", "", ""),
        (b"/index.php", "", ""),
        (b"/administer", "", ""),
        (b"/api/management/users/all", "", "management"),
        (b"/api/management", "", ""),
        (b"/staffing/plans", "", ""),
    ],
)
def test_whole_words_of_a_path(path, word, below):
    request = Request("GET", path)
    assert (is_of_managers(request), is_below_managers(request)) == (word, below)
    assert bool(says_by_its_name(request)) == bool(word or below)


def test_what_governs_says_so_at_its_end():
    assert "'promote'" in says_by_its_name(Request("POST", b"/users/8/promote"))
    assert says_by_its_name(Request("POST", b"/users/me/role")) == ""
    assert says_by_its_name(Request("POST", b"/meetings/appoint")) == "", "anybody is appointed to anything"
    # A search's index is rebuilt by who runs it; a site's own script is called so, too.
    assert "'index'" in says_by_its_name(Request("POST", b"/search/index"))
    assert says_by_its_name(Request("POST", b"/index.php?page=comment")) == ""
    assert says_by_its_name(Request("POST", b"/board/index.php")) == ""


@pytest.mark.parametrize(
    ("name", "says"), [("audit.list", True), ("getAuditLog", True), ("audits.plan", False), ("order.list", False)]
)
def test_functions_that_look_into_what_others_did_are_called_so_beside_what_reads(name: str, says: bool):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": {}}).encode()
    assert bool(says_by_its_name(Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), body))) is says


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (b"/users/update_role", True),
        (b"/absences/7/approve", True),
        (b"/api/leave-requests/7/reject", True),
        (b"/loans/7/approve", True),
        (b"/claims/C100:7/approve", True),
        (b"/friends/7/approve", False),
        (b"/bookings/7/approve", False),
        (b"/loans/7/documents", False),
        (b"/me/loans/7/approve", False),
        (b"/api/changeUserRole", True),
        (b"/members/grant-permissions", True),
        (b"/onboarding/set-role", False),
        (b"/users/me/set-role", False),
        (b"/users/update_profile", False),
    ],
)
def test_what_assigns_roles_to_accounts_says_so_in_one_word(path, says):
    assert bool(says_by_its_name(Request("PUT", path))) is says


def test_secrets_and_addresses_of_several_say_so():
    several = b'{"users": [{"id": 1, "salary": 40}, {"id": 2, "salary": 50}]}'
    assert "'salary'" in told_of_others(Response(200, body=several))
    assert told_of_others(Response(200, body=b'{"users": [{"id": 1, "salary": 40}]}')) == ""


@pytest.mark.parametrize(
    ("path", "ordinary", "said"),
    [
        (b"/operators/3/suspend", {"operator"}, True),
        (b"/operators/3/reinstate", {"operator"}, True),
        (b"/operators/3/skills", {"operator"}, False),
        (b"/operators/3/skills", set(), True),
        (b"/cranes/3/suspend", {"operator"}, False),
    ],
)
def test_whoever_has_an_account_may_have_the_applications_own_name(path, ordinary, said) -> None:
    request = Request("POST", path, (), b"{}", "https", "crane.example", 443)
    assert bool(says_by_its_name(request, frozenset(ordinary))) is said


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("mutation M($p: ID!) { setRank(person: $p, role: WARDEN) { id } }", "rank"),
        ("mutation { setUserRank(id: 7, rank: 2) { id } }", "rank"),
        ("mutation { grantRights(memberId: 7) { id } }", "rights"),
        ("mutation { setRank(item: 7, rank: 2) { id } }", ""),
        ("mutation { userRank(user: 7) { id } }", ""),
        ("mutation { setMyRank(user: 7) { id } }", ""),
    ],
)
def test_what_gives_somebody_a_rank_says_so_in_an_operation(document, said):
    body = json.dumps({"query": document}).encode()
    told = says_by_its_name(Request("POST", b"/graphql", body=body))
    assert (f"by {said!r}" in told) if said else told == ""


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (b"/rpc/user.setRank", True),
        (b"/api?method=user.setRank", True),
        (b"/rpc/admin.listUsers", True),
        (b"/rpc/parcel.setRank", False),
        (b"/rpc/user.setLimit", False),
        (b"/onboarding/set-role", False),
    ],
)
def test_a_function_that_the_address_calls_says_so_by_its_words(target, said):
    request = Request("POST", target, ((b"Content-Type", b"application/json"),), b'{"id": 7}')
    assert bool(says_by_its_name(request)) is said
