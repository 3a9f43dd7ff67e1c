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
        queue.saw(request, [("GET", found[-1] if offers else "q")])
    return found


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
