"""Everything is read in an order that ends."""

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_queue import FORM, GUESS, LINK, Queue, shape_of

LIST = Request("GET", b"/list")


def asked(target: str) -> Request:
    return Request("GET", target.encode())


def drained(queue: Queue, offers: bool = False) -> list[str]:
    found = []
    while (request := queue.next()) is not None:
        found.append(request.target.decode())
        queue.saw(request, [asked(f"/find?{found[-1] if offers else 'q'}=1")])
    return found


def drained_of_pages(queue: Queue, page: str, form: str) -> int:
    """How many are read where each shows that page with a form to that address; `#` stands for its number."""
    read = 0
    while (request := queue.next()) is not None:
        number = request.path.rpartition(b"/")[2].decode()
        target = form.replace("#", number)
        queue.saw(request, [Request("POST", target.encode(), body=b"q=1")], page.replace("#", number).encode())
        read += 1
    return read


def listed(numbers: range) -> Queue:
    queue = Queue()
    for number in numbers:
        queue.put(asked(f"/case/{number}"), LINK, LIST)
    return queue


def test_forms_come_first_and_guesses_last() -> None:
    queue = Queue()
    for target, came_by in (("/c", GUESS), ("/b", LINK), ("/a", FORM)):
        queue.put(asked(target), came_by)
    assert drained(queue) == ["/a", "/b", "/c"]


def test_of_pages_that_offer_the_same_a_few_are_read_and_of_others_all_that_a_list_names() -> None:
    alike, different = Queue(), Queue()
    for number in range(20):
        for queue in (alike, different):
            queue.put(asked(f"/case/{number}"), LINK, LIST)
    assert len(drained(alike)) == 4
    assert len(drained(different, offers=True)) == 20


def test_pages_that_are_alike_to_the_letter_and_ask_for_something_of_their_own_number_are_exercises() -> None:
    queue = listed(range(10, 100))
    assert drained_of_pages(queue, "<h1>Case #</h1>", "/case/#/do") == 90
    assert queue.is_exercise(asked("/case/7"))
    assert queue.exercises == 86


def test_scripts_in_files_of_their_own_are_each_another_program_whatever_they_offer() -> None:
    for path, read in (
        ("/login#.php", 12),
        ("/find-#.jsp", 12),
        ("/login.php?id=#", 4),
        ("/login#.html", 4),
        ("/a.php/#", 4),
    ):
        queue = Queue()
        for number in range(12):
            queue.put(asked(path.replace("#", str(number))), LINK, LIST)
        assert len(drained(queue)) == read, path


def test_a_shop_s_articles_say_what_they_are_and_are_no_exercises() -> None:
    queue = listed(range(10, 30))
    names = iter(("tea", "coffee", "salt", "leek"))
    while (request := queue.next()) is not None:
        queue.saw(request, [asked(request.target.decode() + "/review?text=a")], next(names).encode())
    assert not queue.is_exercise(asked("/case/10"))
    assert drained_of_pages(listed(range(10, 30)), "<h1>Shop</h1>", "/find") == 4


def test_what_fields_hold_may_differ_in_some_exercises_and_does_on_each_page_where_things_are_edited() -> None:
    for values, expected in (("tea 2 tea salt", True), ("tea 2 leek salt", False), ("tea tea tea tea", True)):
        queue = listed(range(10, 30))
        held = iter(values.split())
        while (request := queue.next()) is not None:
            page = f"<h1>Case {request.target[-2:].decode()}</h1><input name=text value='{next(held, 'tea')}'>"
            queue.saw(request, [asked(request.target.decode() + "/run?text=a")], page.encode())
        assert queue.is_exercise(asked("/case/10")) is expected
        assert (queue.exercises > 0) is expected


def test_what_offers_something_else_nearly_each_time_are_exercises() -> None:
    for kinds, expected in (("abcc", True), ("abab", False), ("aaab", False)):
        queue = listed(range(10, 30))
        for kind in kinds:
            request = queue.next()
            assert request is not None
            queue.saw(request, [asked(f"/find?{kind}=1")])
        assert queue.is_exercise(asked("/case/10")) is expected


def test_what_asks_for_nothing_is_no_exercise() -> None:
    queue = listed(range(20))
    while (request := queue.next()) is not None:
        queue.saw(request, [], b"<h1>Day</h1>")
    assert not queue.is_exercise(asked("/case/1"))


def test_of_several_kinds_of_exercises_some_of_each_are_read_where_not_all_can_be() -> None:
    queue = Queue(6)
    for kind in ("a", "b"):
        for number in range(20):
            queue.put(asked(f"/{kind}/{number}"), LINK, LIST)
    read: list[str] = []
    while (request := queue.next()) is not None:
        read.append(request.target.decode())
        queue.saw(request, [asked(read[-1])], b"<h1>Case</h1>")
    assert sum(each.startswith("/a") for each in read) == sum(each.startswith("/b") for each in read) == 7


def test_a_chain_of_pages_ends_whatever_they_offer() -> None:
    queue = Queue()
    for number in range(20):
        queue.put(asked(f"/day/{number}"), LINK, asked(f"/day/{number - 1}"))
    assert len(drained(queue, offers=True)) == 4


def test_one_page_with_many_values_is_read_sixty_times() -> None:
    queue = Queue()
    for number in range(200):
        queue.put(asked(f"/find?q={chr(97 + number % 26)}{chr(97 + number // 26)}"), FORM)
    assert len(drained(queue)) == 60


def test_the_shape_of_an_address_has_no_numbers() -> None:
    assert shape_of(b"/a/12/b?c=345") == shape_of(b"/a/7/b?c=1") == b"/a/0/b?c=0"


def test_how_many_are_left_is_known() -> None:
    queue = listed(range(3))
    queue.put(asked("/about"), GUESS)
    assert queue.left == 4
    queue.next()
    assert queue.left == 3


def test_a_list_is_not_read_in_all_combinations_of_its_filters() -> None:
    queue, letters = Queue(), "abcdefg"
    for first in letters:
        for second in letters:
            queue.put(asked(f"/boats?sort={first}&colour={second}"), LINK)
    assert len(drained(queue)) < 30
