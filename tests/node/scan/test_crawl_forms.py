"""One form of each kind is kept, and all of exercises."""

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_forms import MOST_FORMS, Form, Forms, itself, kind_of, same_among
from gatecrash.node.scan.crawl_queue import Queue


def form(number: int, value: str = "a") -> Request:
    return Request("POST", f"/case/{number}/do".encode(), body=f"v={value}".encode())


def page(number: int) -> Request:
    return Request("GET", f"/case/{number}".encode())


def test_a_number_alone_makes_no_other_kind() -> None:
    assert kind_of(form(1)) == kind_of(form(2))
    assert itself(form(1)) != itself(form(2))
    assert itself(form(1)) == itself(form(1, "b"))


def test_the_rows_of_one_list_are_one_kind_whatever_it_turns_out_to_be() -> None:
    forms, queue = Forms(), Queue()
    for number in range(3):
        forms.put(Form(form(number), page(7)))
    for number in range(7, 9):
        queue.saw(page(number), [form(number)], b"<h1>Case</h1>")
    forms.release(queue)
    assert len(forms.kept) == 1


def test_forms_of_exercises_are_released_and_others_are_not() -> None:
    forms, queue = Forms(), Queue()
    for number in range(3):
        forms.put(Form(form(number), page(number)))
    forms.release(queue)
    assert [each.request for each in forms.kept.values()] == [form(0)]
    for number in range(3):
        queue.saw(page(number), [form(number)], b"<h1>Case</h1>")
    forms.release(queue)
    assert [each.request for each in forms.kept.values()] == [form(0), form(1), form(2)]


def test_what_was_tried_comes_no_more_and_goes_when_it_is_dropped() -> None:
    forms = Forms()
    forms.put(Form(form(0), page(0)))
    kind = forms.untried(lambda _: True)
    assert kind is not None
    assert not forms.were_tried
    assert forms.take(kind).request == form(0)
    assert forms.were_tried
    assert forms.untried(lambda _: True) is None
    forms.drop(kind)
    assert not forms.kept


def test_what_makes_something_is_sent_before_what_writes_over_what_is_there() -> None:
    forms = Forms()
    over, new = (Request(method, path) for method, path in (("PUT", b"/notes/1"), ("POST", b"/notes")))
    for each in (over, new):
        forms.put(Form(each, None))
    taken = [forms.take(kind).request for _ in range(2) if (kind := forms.untried(lambda _: True)) is not None]
    assert taken == [new, over]


def test_a_form_is_found_again_by_its_number_and_else_by_its_kind() -> None:
    assert same_among(form(2), [form(1, "n"), form(2, "n")]) == form(2, "n")
    assert same_among(form(3), [form(1, "n"), form(2, "n")]) == form(1, "n")
    assert same_among(form(3), []) == form(3)


def test_exercises_make_room_for_their_forms() -> None:
    forms = Forms()
    for number in range(MOST_FORMS):
        forms.put(Form(Request("POST", f"/a{number}".encode()), None))
    assert forms.is_full(0)
    assert not forms.is_full(1)


def call(body: str, path: bytes = b"/api/notes") -> Request:
    return Request("POST", path, ((b"Content-Type", b"application/json"),), body.encode())


def test_what_a_script_was_seen_to_send_is_known_better_than_what_its_code_says() -> None:
    forms = Forms()
    forms.put(Form(call('{"text":""}'), page(1)))
    forms.put(Form(call("{}"), page(1)))
    forms.put(Form(call('{"text":"","pinned":true}'), page(1)))
    forms.put(Form(call("{}", b"/api/tags"), page(1)))
    seen = call('{"text":"tea","colour":"green"}')
    forms.put_seen(Form(seen, None))
    forms.put(Form(call('{"colour":""}'), page(2)))
    forms.put(Form(Request("POST", b"/api/notes"), page(2)))  # what is sent is in a variable that nobody can tell
    left = [each.request for each in forms.kept.values()]
    assert left == [call('{"text":"","pinned":true}'), call("{}", b"/api/tags"), seen]


def test_what_turns_out_to_go_where_a_script_was_seen_to_send_more_is_the_same_call() -> None:
    forms = Forms()
    forms.put(Form(call("{}", b"/notes"), page(1)))
    seen = call('{"text":"tea"}')
    forms.put_seen(Form(seen, None))
    forms.move(lambda form: call("{}") if form.target == b"/notes" else form)
    assert [each.request for each in forms.kept.values()] == [seen]
