"""Where one-time values come from, and what leads to the pages that hand them out."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.forms.sources import FormSources

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
FIELD, HEADER = Point.of("post", "form_urlencoded", "ticket"), Point.of("header", "X-CSRF-TOKEN")
RANDOM = b"9a1878fd363f5fba68efb08df29ec256"


def page(target: bytes, body: bytes) -> Exchange:
    return Exchange(Request("GET", target, (), b"", "https", "shop.example", 443), Response(200, body=body))


def sent(target: bytes, body: bytes = b"", *headers: tuple[bytes, bytes]) -> Request:
    head = ((b"Host", b"shop.example"), FORM, *headers)
    return Request("POST", target, head, body, "https", "shop.example", 443)


def hidden(name: bytes, value: bytes) -> bytes:
    return b"<form method=post><input type=hidden name=%s value=%s></form>" % (name, value)


def test_a_random_value_that_a_page_handed_out_comes_from_there() -> None:
    sources = FormSources()
    sources.see(page(b"/edit?id=3", hidden(b"ticket", RANDOM)))
    request = sent(b"/save", b"title=a&ticket=" + RANDOM)
    tokens = sources.tokens(request)
    assert [(token.point, token.value, token.names) for token in tokens] == [(FIELD, RANDOM, ("ticket",))]
    assert sources.pages(request, tokens) == (b"/edit?id=3", b"/save")


def test_which_of_several_tokens_of_one_name_it_is_goes_along() -> None:
    sources = FormSources()
    sources.see(page(b"/app", b"<script>a = {'nonce': '0a1b2c3d'}; b = {'nonce': '4e5f6a7b'}</script>"))
    tokens = sources.tokens(sent(b"/api", b"", (b"X-App-Nonce", b"4e5f6a7b")))
    assert [(token.names[0], token.place) for token in tokens] == [("nonce", 1)]


def test_what_a_user_writes_and_plain_hidden_values_are_no_tokens() -> None:
    sources = FormSources()
    sources.see(page(b"/edit", hidden(b"ticket", b"chapter-seven")))
    assert sources.tokens(sent(b"/save", b"title=" + RANDOM + b"&ticket=chapter-seven")) == ()


def test_a_page_is_asked_for_with_the_cookies_that_only_its_part_of_the_site_gets() -> None:
    sources = FormSources()
    shown = page(b"/admin/new", hidden(b"ticket", RANDOM))
    session, other = b"sid=%s" % RANDOM, b"sid=%s" % RANDOM[::-1]
    asked = msgspec.structs.replace(shown.request, headers=((b"Cookie", session + b"; seen=7; admin=ann"),))
    sources.see(msgspec.structs.replace(shown, request=asked))
    for own, further in ((session + b"; seen=8", b"; admin=ann"), (other, b""), (b"lang=en", b"")):
        question = sources.reading(sent(b"/api", b"ticket=" + RANDOM, (b"Cookie", own)), b"/admin/new")
        assert (question.method, question.target, question.first(b"Cookie")) == ("GET", b"/admin/new", own + further)


def test_where_to_go_on_is_no_token() -> None:
    sources = FormSources()
    sources.see(page(b"/edit", hidden(b"back", b"http://127.0.0.1:8080/list7")))
    request = sent(
        b"/save", b"back=http%3A%2F%2F127.0.0.1%3A8080%2Flist7", (b"Referer", b"http://127.0.0.1:8080/list7")
    )
    assert sources.tokens(request) == ()


def test_a_token_is_known_by_its_name_though_no_page_was_seen_to_hand_out_its_value() -> None:
    sources = FormSources()
    sources.see(page(b"/list", hidden(b"csrf_token", b"another-1")))
    request = sent(b"/save", b"a=1", (b"X-CSRF-Token", b"stale-1"), (b"Referer", b"https://shop.example/edit?id=3"))
    (token,) = sources.tokens(request)
    assert (token.point, token.names) == (HEADER, ("X-CSRF-TOKEN", "csrf_token"))
    assert sources.pages(request, (token,)) == (b"/edit?id=3", b"/list", b"/save")


def test_pages_that_end_something_or_stand_elsewhere_are_never_asked() -> None:
    sources = FormSources()
    for referer in (b"https://shop.example/logout", b"https://other.example/edit", b"https://shop.example"):
        request = sent(b"/user/delete", b"csrf=abcdef1", (b"Referer", referer))
        assert sources.pages(request, sources.tokens(request)) == ()


def test_what_leads_to_a_page_is_the_request_whose_answer_led_there() -> None:
    sources = FormSources()
    first = Exchange(sent(b"/order/1", b"book=1"), Response(302, ((b"Location", b"/order/2?new=1"),)))
    sources.see(first)
    assert sources.before(sent(b"/order/2", b"code=1"), b"/order/2") is first
    assert sources.before(sent(b"/order/1", b"book=1"), b"/order/2") is None, "nobody leads to itself"
    assert sources.before(sent(b"/order/3", b"code=1"), b"/order/3") is None


def test_an_answer_that_holds_the_next_form_leads_there_and_no_later_answer_of_a_step_takes_its_place() -> None:
    sources = FormSources()
    first = Exchange(sent(b"/order/1", b"book=1"), Response(200, body=hidden(b"csrf", RANDOM)))
    sources.see(first)
    second = Exchange(sent(b"/order/2", b"code=1&csrf=" + RANDOM), Response(200, body=hidden(b"csrf", b"next-1")))
    sources.see(second)
    assert sources.pages(second.request, sources.tokens(second.request))[0] == b"/order/1"
    assert sources.before(second.request, b"/order/1") is first
    sources.see(Exchange(sent(b"/order/0", b"a=1"), Response(302, ((b"Location", b"/order/1"),))))
    sources.see(first)
    led = sources.before(second.request, b"/order/1")
    assert led is not None
    assert led.request.path == b"/order/0", "a redirect says more"


def test_what_destroys_or_signs_in_leads_nowhere() -> None:
    sources = FormSources()
    for target, body in ((b"/order/delete", b"id=1"), (b"/login", b"user=a&password=b"), (b"/logout", b"")):
        sources.see(Exchange(sent(target, body), Response(302, ((b"Location", b"/order/2"),))))
    assert sources.before(sent(b"/order/2", b"code=1"), b"/order/2") is None


def test_a_step_is_led_to_by_the_page_whose_form_sends_there_and_by_no_other_that_hands_out_its_token() -> None:
    sources = FormSources()
    token = b"csrf=" + RANDOM
    step = hidden(b"csrf", RANDOM).replace(b"<form", b"<form action=/order/2")
    first = Exchange(sent(b"/order/1", b"book=1&" + token), Response(200, body=step))
    saved = Exchange(sent(b"/settings", b"name=a&" + token), Response(200, body=hidden(b"csrf", RANDOM)))
    for exchange in (first, saved):
        sources.see(exchange)
    second = sent(b"/order/2", b"code=1&" + token)
    assert sources.pages(second, sources.tokens(second))[0] == b"/settings"
    assert sources.step_before(second, sources.tokens(second)) is first
    from_home = sent(b"/notes", token, (b"Referer", b"https://shop.example/home"))
    assert sources.step_before(from_home, sources.tokens(from_home)) is None
    from_nowhere = sent(b"/notes", token)
    assert sources.step_before(from_nowhere, sources.tokens(from_nowhere)) is saved


def test_a_form_whose_action_is_no_address_sends_nowhere() -> None:
    sources = FormSources()
    hidden = b"<form action='http://[qzx'><input type=hidden name=csrf_token value=" + RANDOM + b"></form>"
    assert sources.see(page(b"/search?q=1", hidden))
    request = sent(b"/save", b"csrf_token=" + RANDOM)
    assert sources.pages(request, sources.tokens(request))[0] == b"/search?q=1"


def test_a_token_in_an_address_is_read_from_the_page_with_the_link_and_no_step_leads_there() -> None:
    sources = FormSources()
    link = b"<form method=post action='/apps/stop?app=shop&amp;nonce=%s'></form>"
    saved = msgspec.structs.replace(page(b"/save", link % b"6802CC4038"), request=sent(b"/save", b"title=a"))
    for exchange in (page(b"/apps", link % b"4e5f6a7b01"), saved):
        assert sources.see(exchange)
    request = sent(b"/apps/stop?app=shop&nonce=4e5f6a7b01", b"")
    tokens = sources.tokens(request)
    assert [(token.point, token.value) for token in tokens] == [(Point.of("get", "nonce"), b"4e5f6a7b01")]
    assert sources.pages(request, tokens)[0] == b"/apps"
    assert sources.step_before(request, tokens) is None
