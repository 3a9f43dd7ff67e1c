"""Where an exchange is counted: decided templates, learned ones, operations; and no open name drowns."""

from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.matcher import TemplateMatcher
from gatecrash.core.inventory.placing import MOST_OPERATIONS, OTHER_OPERATION, Placing
from gatecrash.core.inventory.tally import Seen

NAMES = [f"{a}{b}" for a in ("get", "set", "list", "send", "find") for b in ("tea", "cup", "pot", "leaf", "box", "tin", "jar", "bag")]  # fmt: skip


def seen(path, *, status=200, authenticated=True, protocol="rest"):
    return Seen("GET", "h", path.encode(), 1, status, (), authenticated, protocol=protocol)


def placed(placing, path, operation="", **how):
    key = placing.place(seen(path, **how), operation)
    return None if key is None else f"{key.path} {key.operation}".strip()


def crowded() -> Placing:
    """A flat API of 40 names, every request authenticated."""
    placing = Placing()
    for name in NAMES * 3:
        placed(placing, f"/api/{name}")
    assert placed(placing, "/api/anything") == "/api/{api_id}"
    return placing


def test_an_open_name_among_guarded_ones_gets_a_row_of_its_own():
    placing = crowded()
    got = [placed(placing, "/api/debug", authenticated=False) for _ in range(10)]
    assert got[0] == "/api/{api_id}"
    assert got[-1] == "/api/{open_api_id}"
    assert placed(placing, "/api/settea") == "/api/{api_id}"


def test_what_lies_below_an_open_name_is_judged_by_itself():
    placing = crowded()
    for name in NAMES * 3:
        placed(placing, f"/api/{name}/state/7")
    for _ in range(10):
        last = placed(placing, "/api/debug/state/7", authenticated=False)
    assert last == "/api/{open_api_id}/state/{state_id}"


def test_refused_requests_make_nothing_open():
    placing = crowded()
    for _ in range(30):
        last = placed(placing, "/api/debug", authenticated=False, status=401)
    assert last == "/api/{api_id}"


def test_no_name_leaves_with_an_open_row():
    placing = crowded()
    keys = {str(placing.place(seen("/api/debug", authenticated=False), "")) for _ in range(30)}
    assert not any("debug" in key for key in keys)


def test_a_split_shows_the_names_and_taking_it_back_hides_new_ones():
    placing = crowded()
    placing.learner.split([HostTemplate("h", "/api/{api_id}")])
    assert [placed(placing, "/api/debug") for _ in range(3)] == [None, None, "/api/debug"]
    assert placed(placing, "/api/3f9a0c77de114b02") == "/api/{api_id}"
    placing.learner.split([])
    assert placed(placing, "/api/debug") == "/api/debug"
    assert placed(placing, "/api/newcomer") == "/api/{api_id}"


def test_a_split_below_a_parameter_and_on_a_host_not_seen_yet():
    placing = Placing()
    placing.learner.split([HostTemplate("", "/users/{user_id}/{id}")])
    for name in NAMES * 3:
        last = placed(placing, f"/users/7/{name}")
        assert last in (None, f"/users/{{user_id}}/{name}")
    assert last == f"/users/{{user_id}}/{NAMES[-1]}"


def test_an_operation_is_shown_with_its_path_where_both_were_seen_often_enough():
    placing = Placing()
    calls = ["query A", "query B", "query A", "query A", "query B", "query B"]
    told = [placed(placing, "/graphql", operation) for operation in calls]
    assert told == [None, None, None, "/graphql query A", None, "/graphql query B"]


def test_a_document_names_the_path_at_once_and_teaches_nothing():
    placing = Placing()
    placing.matcher = TemplateMatcher(documents=[DocumentPaths("", "", (("GET", "/people/{name}"),))])
    assert placed(placing, "/people/ann") == "/people/{name}"
    placing.matcher = TemplateMatcher()
    assert placed(placing, "/people/ann") is None


def test_an_operation_leaves_when_it_was_seen_three_times():
    placing = Placing()
    for _ in range(3):
        placed(placing, "/graphql")
    got = [placed(placing, "/graphql", "query GetTea", protocol="graphql") for _ in range(3)]
    assert got == [None, None, "/graphql query GetTea"]


def test_operations_that_do_not_exist_teach_nothing():
    placing = Placing()
    for _ in range(9):
        placed(placing, "/graphql")
    assert {placed(placing, "/graphql", "query Guess", status=400) for _ in range(9)} == {None}


def test_random_looking_and_too_many_operations_are_one():
    placing = Placing()
    for _ in range(3):
        placed(placing, "/graphql")
    assert placed(placing, "/graphql", "query kX9fQ2vLm3Zq8") == f"/graphql {OTHER_OPERATION}"
    for number in range(MOST_OPERATIONS):
        placed(placing, "/graphql", f"query Tea{'abcdefghij'[number // 100]}{'abcdefghij'[number // 10 % 10]}{'abcdefghij'[number % 10]}")  # fmt: skip
    assert placed(placing, "/graphql", "query OneMore") == f"/graphql {OTHER_OPERATION}"
