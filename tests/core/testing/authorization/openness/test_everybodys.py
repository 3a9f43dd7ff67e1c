"""What is for everybody by its nature, told by the address."""

import orjson
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.everybodys import (
    asks_a_question,
    asks_security_questions,
    called_public,
    describes_things,
    ends_published,
    for_visitors,
    is_published,
    is_shared,
    makes_something,
    of_the_page,
    only_decodes,
    perhaps_for_visitors,
    says_no_more,
    tells_a_number,
    tells_a_version_alone,
)

JSON = (b"Content-Type", b"application/json")
DONE = Response(201, (JSON,), b'{"id": 4}')
NOTHING = Response(204)


def posted(path: bytes, body: bytes = b'{"text": "fine"}', good: Response = DONE) -> str | None:
    return for_visitors(Request("POST", path, (JSON,), body), good)


@pytest.mark.parametrize("path", ["/", "/products", "/v2/zones", "/hotels/7/rooms", "/api/autocomplete", "/suggest"])
def test_what_is_published_is_told_by_a_word(path):
    assert is_published(path)


@pytest.mark.parametrize(
    ("path", "itself"),
    [
        ("/posts/7", True),
        ("/products/2/reviews", True),
        ("/hotels/7/guests", False),
        ("/orders/31", False),
        ("/4", True),
        ("/articles/how-to-train-a-mule-9ccac4", True),
        ("/articles/lake-loop-9c/comments", True),
        ("/articles/lake-loop-9c/drawer", False),
        ("/orders/31/comments", False),
        ("/comments", False),
        ("/articles/by-mood", False),
    ],
)
def test_what_stands_within_something_published_may_be_somebodys(path, itself):
    assert ends_published(path) is itself


@pytest.mark.parametrize(
    ("said", "shared"),
    [
        (b"max-age=60, public", True),
        (b"public, s-maxage=5", True),
        (b"must-revalidate, s-maxage=300, max-age=0", True),
        (b"max-age=60", False),
        (b"s-maxage=0, max-age=60", False),
        (b"s-maxage=5, private", False),
        (b"public", False),
        (b"public, max-age=0", False),
        (b"public, max-age=60, private", False),
    ],
)
def test_what_every_cache_may_keep_is_told_by_its_header(said, shared):
    assert is_shared(Response(200, ((b"Cache-Control", said),))) is shared
    assert not is_shared(Response(200))


@pytest.mark.parametrize("path", ["/config", "/api/v1/settings", "/rest/app-config.json", "/i18n"])
def test_what_a_page_reads_before_anybody_signs_in(path):
    assert of_the_page(path)


@pytest.mark.parametrize(
    ("told", "alone"),
    [
        (b'{"version": "14.2.1"}', True),
        (b'{"data": {"appVersion": "2.0-rc1+5"}}', True),
        (b'{"version": "14.2.1", "database": "db-3"}', False),
        (b'{"version": "secret"}', False),
        (b'{"conversion": "1.5"}', False),
        (b'{"token": "14.2.1"}', False),
    ],
)
def test_a_version_and_nothing_besides_is_for_everybody(told, alone):
    assert tells_a_version_alone(Response(200, ((b"Content-Type", b"application/json"),), told)) is alone


@pytest.mark.parametrize("path", ["/users/7/settings", "/admin/config", "/team/settings", "/configs/7/keys"])
def test_the_settings_of_somebody_are_no_pages_own(path):
    assert not of_the_page(path)


@pytest.mark.parametrize(
    "path", [b"/api/feedback", b"/contact-us", b"/api/v1/newsletter", b"/csp-report", b"/shop/quote"]
)
def test_visitors_send_feedback_and_the_like(path):
    assert posted(path) is not None


def test_what_it_belongs_to_is_told_without_numbers():
    assert posted(b"/v1/orders/31/feedback") == "/orders"
    assert posted(b"/feedback") == "/"


@pytest.mark.parametrize("path", [b"/api/orders", b"/contacts", b"/feedback/settings", b"/quotes", b"/subscriptions"])
def test_other_things_are_sent_by_somebody(path):
    assert posted(path) is None


def test_what_is_computed_of_a_request_is_for_visitors_unless_it_belongs_to_an_object():
    assert posted(b"/api/v1/calc") == "/api"
    assert posted(b"/currency/convert") == "/currency"
    assert posted(b"/leads/31/convert") is None
    assert posted(b"/scripts/evaluated") is None


def test_a_price_is_asked_for_where_the_answer_tells_a_number_and_names_nothing_made():
    asked = b'{"plan": "pro", "answers": 2500}'
    told = Response(200, (JSON,), b'{"plan": "pro", "answers": 2500, "price": 50.0}')
    assert posted(b"/api/price", asked, told) == "/api"
    assert posted(b"/shop/shipping-costs", asked, told) == "/shop"
    assert posted(b"/products/31/price", asked, told) is None


@pytest.mark.parametrize(
    "answer",
    [b'{"plan": "pro", "price": 50}', b'{"id": 9, "total": 71}', b'{"ok": true}', b'{"order_id": "k7", "fee": 3}'],
)
def test_a_price_that_is_set_or_an_order_that_is_made_is_somebodys(answer):
    assert posted(b"/price", b'{"plan": "pro", "price": 50}', Response(200, (JSON,), answer)) is None


def test_a_report_of_a_page_is_feedback_and_no_other_report_is():
    assert posted(b"/api/report", b'{"page": "/f/7", "text": "too small"}') == "/api"
    assert posted(b"/report-a-bug") == posted(b"/bug-reports") == "/"
    assert posted(b"/api/report", b'{"title": "Sales", "text": "few"}') is None
    assert posted(b"/api/report", b'{"url": "http://a.example/x"}') is None


@pytest.mark.parametrize(
    "path",
    [b"/api/search", b"/check-email", b"/api/checkEmail", b"/coupons/validate", b"/password/strength", b"/cart/total"],
)
def test_a_post_may_only_ask(path):
    assert asks_a_question(Request("POST", path, (JSON,), b"{}"))
    assert not asks_a_question(Request("PUT", path, (JSON,), b"{}"))


@pytest.mark.parametrize(
    "path", [b"/checkout", b"/orders", b"/api/researches", b"/search/index", b"/previewers", b"/7"]
)
def test_other_words_do_something(path):
    assert not asks_a_question(Request("POST", path, (JSON,), b"{}"))


def test_what_decodes_what_it_is_handed_tells_no_more_than_its_sender_had():
    def asked(path: bytes, body: bytes = b'{"data": "lnbc100n1"}', method: str = "POST") -> bool:
        return only_decodes(Request(method, path, (JSON,), body))

    assert asked(b"/api/v1/payments/decode")
    assert asked(b"/vin/decoder")
    assert not asked(b"/payments/71/decode")
    assert not asked(b"/payments/decode", b"")
    assert not asked(b"/payments/decoded")
    assert not asked(b"/payments/decode", method="DELETE")


def test_who_may_vote_is_told_by_no_request():
    def asked(method: str, path: bytes) -> bool:
        return perhaps_for_visitors(Request(method, path, (JSON,), b"{}"))

    assert asked("POST", b"/posts/7/like")
    assert asked("POST", b"/api/polls/7/votes")
    assert not asked("DELETE", b"/posts/7/like")
    assert not asked("POST", b"/votes/7/close")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "GET"])
def test_visitors_only_send_what_is_new(method):
    assert for_visitors(Request(method, b"/feedback", (JSON,), b"{}"), DONE) is None


def test_what_is_counted_is_answered_with_nothing():
    assert posted(b"/api/events", good=NOTHING) == "/api"
    assert posted(b"/api/events") is None


@pytest.mark.parametrize(
    ("path", "answer", "counted"),
    [
        (
            b"/gw/track",
            b'{"code": 0, "msg": "ok", "data": {"echo": "fine"}, "traceId": "9f2c", "ts": 1795356853}',
            True,
        ),
        (b"/api/collect", b'{"success": true}', True),
        (b"/api/track", b'{"success": true, "id": 7031}', False),
        (b"/api/track", b'{"success": true, "parcel": "at the depot"}', False),
        (b"/api/events", b'{"success": true}', False),
        (b"/api/track", b"tracked", False),
    ],
)
def test_what_is_tracked_may_be_answered_with_thanks(path, answer, counted):
    assert (posted(path, good=Response(200, (JSON,), answer)) is not None) is counted


def test_what_a_visitor_likes_is_kept_in_his_cookie():
    put = Request("PUT", b"/api/settings", (JSON,), b'{"theme": "dark"}')
    assert for_visitors(put, Response(200, (JSON, (b"Set-Cookie", b"theme=dark")), b"{}")) == "/api"
    assert for_visitors(put, Response(200, (JSON,), b"{}")) is None


@pytest.mark.parametrize(
    ("body", "cookie", "kept"),
    [
        (b'{"session_id": "5f9a8a34-1f5e"}', b"X-Chat-Session=5f9a8a34-1f5e; HttpOnly", True),
        (b'{"session_id": "5f9a8a34-1f5e", "name": "ann"}', b"X-Chat-Session=5f9a8a34-1f5e", False),
        (b'{"session_id": "5f9a8a34-1f5e"}', b"seen=5f9a8a34", False),
        (b"{}", b"seen=5f9a8a34", False),
    ],
    ids=["all of it", "a part", "something else", "nothing sent"],
)
def test_what_the_senders_own_cookies_keep_word_for_word_changes_nothing_elsewhere(body, cookie, kept):
    good = Response(200, (JSON, (b"Set-Cookie", cookie)), b'{"message": "kept"}')
    assert (for_visitors(Request("POST", b"/set-session-cookie", (JSON,), body), good) is not None) is kept


def test_a_review_that_names_its_author_needs_no_account():
    assert posted(b"/products/2/reviews", b'{"author": "Eva", "text": "fine"}') == "/products"
    assert posted(b"/products/2/reviews") is None
    assert posted(b"/products/2/reviews", b'{"author": "", "text": "fine"}') is None


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b'{"valid": true, "percent": 10}', True),
        (b'{"paid": 4}', True),
        (b'{"orderId": "k7", "total": 3}', False),
        (b'{"ID": "k7", "total": 3}', False),
        (b'{"valid": true}', False),
    ],
)
def test_a_number_is_told_beside_nothing_that_was_made(answer, told):
    assert tells_a_number(Request("POST", b"/x", (JSON,), b"{}"), Response(200, (JSON,), answer)) is told


@pytest.mark.parametrize(
    ("answer", "no_more"),
    [
        (b'{"ok": true, "name": ""}', True),
        (b'{"host": "a"}', True),
        (b'{"out": ""}', False),
        (b'{"out": "10.0.0.7"}', False),
        (b"{}", False),
    ],
)
def test_that_nothing_was_found_is_more_than_that_something_was_done(answer: bytes, *, no_more: bool) -> None:
    asked = Request("POST", b"/resolve", (JSON,), b'{"host": "a"}')
    assert says_no_more(asked, Response(200, (JSON,), answer)) is no_more


@pytest.mark.parametrize(
    ("status", "body", "made"),
    [
        (200, b'{"id": 31}', True),
        (200, b'{"taskId": "a7c3"}', True),
        (200, b'{"id": 7, "valid": true}', False),
        (200, b'{"text": "x", "requestId": "9c1f-ab", "_meta": {"id": "f25dee3c"}}', False),
        (200, b'{"request_id": 31}', True),
        (200, b'{"plan_request_id": "9c1f-ab", "plan_id": "7c"}', True),
        (201, b'{"days": 2}', True),
        (201, b'{"key": "ab12cd34ef56", "days": 2}', False),
        (201, b"", True),
        (200, b"made", False),
    ],
)
def test_what_is_new_has_an_identifier_that_nobody_sent(status: int, body: bytes, made: bool) -> None:
    request = Request("POST", b"/plans/7", ((b"Content-Type", b"application/json"),), b'{"days": 2}')
    assert makes_something(request, Response(status, ((b"Content-Type", b"application/json"),), body)) is made


@pytest.mark.parametrize(
    ("body", "things"),
    [
        (b'[{"id": 1, "name": "Clinic North", "city": "Kiel"}]', True),
        (b'{"success": true, "data": [{"id": 1, "title": "Linden", "months": "June"}], "total": 1}', True),
        (b'{"id": 3, "name": "Aspirin", "inStock": true, "tags": ["pain"]}', True),
        (b'[{"id": 1, "name": "Visit", "patient_id": 7}]', False),
        (b'[{"garageId": "g1", "name": "Harbour", "city": "Kiel", "hourly": 2, "places": 90, "hidden": false}]', True),
        (b'[{"id": 1, "title": "Call the bank", "done": false}]', False),
        (b'[{"id": 1, "name": "Ida", "email": "ida@clinic.test"}]', False),
        (b'[{"id": 1, "name": "Night", "date": "2026-05-04"}]', False),
        (b'{"id": 1, "name": "Backup", "status": "failed"}', False),
        (b'[{"id": 1, "price": 4}]', False),
        (b"[]", False),
    ],
)
def test_a_catalogue_says_what_things_are_called_and_like_and_nothing_else(body, things):
    assert describes_things(Response(200, (JSON,), body)) is things


@pytest.mark.parametrize(
    ("name", "public"),
    [("public", True), ("public-profile", True), ("publicProfile", True), ("public_profile_2", True), ("profile-public", True),
     ("public-", False), ("public--x", False), ("republic", False), ("publicity", False)],
)  # fmt: skip
def test_what_calls_itself_public_is(name, public):
    assert called_public(f"/users/3/{name}") is public


def test_a_long_name_that_is_public_but_for_its_end_is_read_once():
    assert not called_public("/users/3/public" + "_a" * 5_000 + "-")


def called(field: str, arguments: str = '(email: "ann@example.com")') -> str | None:
    body = orjson.dumps({"query": f"mutation {{ {field}{arguments} {{ ok }} }}"})
    return for_visitors(Request("POST", b"/graphql", (JSON,), body), Response(200, (JSON,), b'{"data": {}}'))


@pytest.mark.parametrize(
    "field",
    ["subscribeNews", "subscribeToNewsletter", "joinNewsletter", "sendFeedback", "contactUs", "createComplaint"],
)
def test_visitors_send_the_same_by_what_is_called_by_its_name(field: str):
    assert called(field) == "/graphql"


@pytest.mark.parametrize(
    "field", ["subscribeToPlan", "createContact", "updateNewsletter", "deleteFeedback", "placeOrder", "subscribers"]
)
def test_other_things_that_are_called_are_not_for_visitors(field: str):
    assert called(field) is None


def test_feedback_to_an_object_is_not_called_for_visitors():
    assert called("sendFeedback", '(orderId: "31", text: "slow")') is None
    assert called("sendFeedback", '(text: "slow")') == "/graphql"


def test_a_function_that_is_called_by_its_name_is_for_visitors_likewise():
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "newsletter.join", "params": {"email": "ann@example.com"}}'
    good = Response(200, (JSON,), b"{}")
    assert for_visitors(Request("POST", b"/rpc", (JSON,), body), good)
    assert for_visitors(Request("POST", b"/rpc", (JSON,), body.replace(b"newsletter.join", b"joinNewsletter")), good)
    assert perhaps_for_visitors(Request("POST", b"/rpc", (JSON,), body.replace(b"newsletter.join", b"post.like")))
    assert (
        for_visitors(Request("POST", b"/rpc", (JSON,), body.replace(b"newsletter.join", b"order.create")), good) is None
    )


@pytest.mark.parametrize(
    ("field", "told", "counted"),
    [
        ("trackEvent", b"true", True),
        ("logPageView", b"true", True),
        ("trackEvent", b'{"id": 7, "owner": "ben"}', False),
        ("trackParcel", b"true", False),
        ("logWorkout", b"true", False),
    ],
)
def test_what_a_page_tells_to_be_counted_is_called_so(field: str, told: bytes, *, counted: bool):
    body = orjson.dumps({"query": f'mutation {{ {field}(name: "view", page: "/posts") }}'})
    good = Response(200, (JSON,), b'{"data": {"%b": %b}}' % (field.encode(), told))
    assert (for_visitors(Request("POST", b"/graphql", (JSON,), body), good) is not None) is counted


@pytest.mark.parametrize(
    ("field", "opinion"), [("likePost", True), ("vote", True), ("rateProduct", True), ("setRating", False)]
)
def test_what_somebody_thinks_is_said_by_what_is_called_too(field: str, *, opinion: bool):
    body = orjson.dumps({"query": f"mutation {{ {field}(id: 7) {{ id }} }}"})
    assert perhaps_for_visitors(Request("POST", b"/graphql", (JSON,), body)) is opinion


@pytest.mark.parametrize(
    ("path", "rows", "asked"),
    [
        ("/account/questions", [{"id": 1, "text": "Your first pet?"}, {"id": 2, "text": "Your first town?"}], True),
        ("/notes/questions", [{"id": 1, "text": "Your first pet?"}, {"id": 2, "text": "Your first town?"}], False),
        ("/account/questions", [{"id": 1, "text": "Your first pet?", "answer": "Rex"}] * 2, False),
        ("/account/questions", [{"id": 1, "text": "Your first pet?"}], False),  # one is somebody's own
        ("/account/question", {"id": 1, "text": "Your first pet?"}, True),  # who forgot his password is asked it
        ("/account/question", {"id": 1, "text": "Your first pet?", "answer": "Rex"}, False),
        ("/account/question", None, True),
    ],
)
def test_who_registers_chooses_from_questions_that_nobody_has_answered(path, rows, asked):
    good = Response(200, (JSON,), orjson.dumps({"status": "ok", "data": rows}))
    assert asks_security_questions(path, good) is asked
