"""What stands around an endpoint and asks for credentials says that the endpoint should have asked, too."""

from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.addresses.sections import around
from gatecrash.core.testing.authorization.openness.guarded_beside import guarded_around
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.declared import Declared
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

SESSION = (b"Cookie", b"PHPSESSID=3f9a0c77de114b02aa553f9a0c77")


def said(
    method: str,
    target: bytes,
    kept: set[bytes],
    around: tuple[bytes, ...] = (),
    declared: Declared | None = None,
    shown: frozenset[bytes] = frozenset(),
    body: bytes = b"",
) -> tuple[str, list[bytes]]:
    """What is told of a request at a site that keeps these addresses from visitors and shows others, and what was asked for it."""
    request = Request(method, target, (SESSION,), b"{}" if method == "POST" else b"")
    asked: list[bytes] = []

    def site(question: Request) -> Response:
        assert question.method == "GET"
        asked.append(question.target)
        if question.path in shown:
            return Response(200, (), b"everybody's")
        if question.path not in kept and question.target not in kept:
            return Response(404, (), b"not here")
        known = question.first(b"Cookie") is not None
        return Response(200, (), b"yours") if known else Response(302, ((b"Location", b"/login.php"),))

    told = guarded_around(
        Situation(
            baseline=Baseline(
                "bl_1", Exchange(request, Response(200, ((b"Content-Type", b"application/json"),), body))
            ),
            point=Point(),
            value=b"",
            credentials=credentials_of(request),
            policy=DEFAULT,
            random=Random(1),
            around=around,
            declared=declared,
        )
    )
    return answered(told, site), asked


@pytest.mark.parametrize(
    ("method", "target", "kept", "around", "told"),
    [
        ("POST", b"/threads/4/reply", b"/threads/4/reply", (), "asked by GET"),
        ("POST", b"/notes/41/share", b"/notes/41", (), "which it stands below"),
        ("POST", b"/teacher/grades", b"/teacher", (), "which it stands below"),
        ("POST", b"/mod/queue/8/approve", b"/mod/reports", (b"/mod/reports",), "which stands beside it"),
        ("GET", b"/certificates/31/print", b"/certificates/31", (), "which it stands below"),
        ("GET", b"/teacher/roster.csv", b"/teacher/roster", (b"/teacher/roster",), "which stands beside it"),
    ],
)
def test_what_is_kept_around_an_endpoint_is_told(method, target, kept, around, told):
    words, asked = said(method, target, {kept}, around)
    assert told in words
    assert asked.count(kept) == 2, "by a visitor and by the caller"
    assert said(method, target, set(), around)[0] == "", "nothing is kept there"


@pytest.mark.parametrize(
    ("method", "target", "kept"),
    [
        ("GET", b"/notes/41/print", b"/notes"),
        ("GET", b"/users/41/avatar", b"/users/41"),
        ("GET", b"/orders/prices", b"/orders"),
        ("POST", b"/account/forgot-password", b"/account"),
        ("POST", b"/api/scan", b"/api"),
        ("POST", b"/compare.php", b"/account.php"),
    ],
)
def test_what_says_nothing_of_an_endpoint_is_not_told(method, target, kept):
    assert said(method, target, {kept})[0] == ""


@pytest.mark.parametrize(
    ("target", "body", "told"),
    [
        (b"/api/users/41/badge", b'{"id": 41, "name": "Anna Lind"}', False),
        (b"/api/users/41/badge", b'{"id": 41, "name": "Anna Lind", "salary": 4100}', True),
        (b"/api/users/41/history", b'{"id": 41, "name": "Anna Lind"}', True),
    ],
)
def test_a_members_card_is_for_visitors_though_the_rest_of_him_is_kept(target: bytes, body: bytes, told: bool):
    assert bool(said("GET", target, {b"/api/users/41"}, body=body)[0]) is told


@pytest.mark.parametrize(
    ("method", "target", "kept", "tells"),
    [
        ("GET", b"/issue?@sort=title&status=1", b"/issue?@template=item", False),
        ("GET", b"/issue?id=7", b"/issue?id=8", False),
        ("GET", b"/issue?do=list", b"/issue?do=mine", False),
        ("GET", b"/issue?do=mine&format=csv", b"/issue?do=mine", True),
        ("GET", b"/staff/issue?do=list", b"/staff/issue?do=open", True),
        ("POST", b"/issue?do=save", b"/issue?do=settings", False),
        ("POST", b"/issue?do=edit&id=7", b"/issue?do=edit&id=8", True),
        ("POST", b"/issue", b"/issue?@template=item", True),
    ],
)
def test_another_query_of_one_script_tells_of_the_same_function_alone(method, target, kept, tells):
    assert bool(said(method, target, {kept}, (kept,))[0]) is tells


def test_a_list_that_is_kept_says_it_of_its_objects_where_a_description_asks_for_credentials():
    assert said("GET", b"/hikes/31", {b"/hikes"})[0] == ""
    assert "which it stands below" in said("GET", b"/hikes/31", {b"/hikes"}, declared=Declared(True))[0]
    assert said("GET", b"/hikes/9fQ2kLx81TzVbW", {b"/hikes"}, declared=Declared(True))[0] == "", "a key, as links have"


@pytest.mark.parametrize(
    ("method", "target", "page", "tells"),
    [
        ("GET", b"/order_print.php?id=7", b"/order.php?id=7", True),
        ("GET", b"/downloadBill?no=2024-07&format=short", b"/bill?no=2024-07&format=short", True),
        ("GET", b"/order_print.php?id=7&sig=3f9a0c77de", b"/order.php?id=7&sig=3f9a0c77de", False),
        ("GET", b"/order_print.php?id=7&pin=4821", b"/order.php?id=7&pin=4821", False),
        ("GET", b"/order_print.php?key=9fQ2kLx81TzVbW", b"/order.php?key=9fQ2kLx81TzVbW", False),
        ("GET", b"/map_print.php", b"/map.php", False),
        ("GET", b"/product_print.php?id=7", b"/product.php?id=7", False),
        ("GET", b"/map.php?id=7", b"/map_print.php?id=7", False),
        ("POST", b"/order_print.php?id=7", b"/order.php?id=7", False),
        ("GET", b"/staff/map_print.php", b"/staff/map.php", True),
    ],
)
def test_a_thing_that_is_kept_says_it_of_its_page_on_paper_that_anybody_counts_to(method, target, page, tells):
    recorded = around(target.partition(b"?")[0], (page.replace(b"7", b"9"),))
    assert bool(said(method, target, {page}, recorded)[0]) is tells


@pytest.mark.parametrize("slash", [b"", b"/"])
def test_who_may_not_edit_a_page_may_read_it_where_visitors_do(slash):
    page, form = b"/desk/7" + slash, b"/desk/7/edit" + slash
    beside = (form,)
    assert "stands beside" in said("GET", b"/desk/7/source" + slash, {form}, beside)[0]
    assert said("GET", b"/desk/7/source" + slash, {form}, beside, shown=frozenset({page}))[0] == ""
    kept = b"/desk/7/notes" + slash
    assert said("GET", b"/desk/7/source" + slash, {kept}, (kept,), shown=frozenset({page}))[0], "no change"


@pytest.mark.parametrize(("shown", "told"), [(b"", True), (b"<p>Rowed by the bakers</p><p>In spring</p>", False)])
def test_a_page_that_is_shown_with_a_login_form_beside_is_not_kept(shown: bytes, told: bool):
    request = Request("GET", b"/ribbons/31/words", (SESSION,))

    def site(question: Request) -> Response:
        known = question.first(b"Cookie") is not None
        head = b"<a href='/logout'>Leave</a>" if known else b"<form><input type='password' name='word'></form>"
        if question.path != b"/ribbons/31":
            return Response(404, ((b"Content-Type", b"text/html"),), head)
        body = b"<p>Rowed by the bakers</p><p>In spring</p>" if known else shown
        return Response(200, ((b"Content-Type", b"text/html"),), head + body)

    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
    )
    assert bool(answered(guarded_around(situation), site)) is told
