from itertools import product

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_combined import _MOST_COMBINED, Combined


def read(combined: Combined, targets: list[str]) -> list[str]:
    return [each for each in targets if combined.brings_more(Request("GET", each.encode()))]


def test_of_a_list_that_is_sorted_filtered_and_narrowed_down_each_choice_is_read_and_not_all_together() -> None:
    choices = product(("name", "price", "owner"), ("asc", "desc"), ("red", "blue", "green"), ("10", "50", "all"))
    targets = [f"/boats?sort={sort}&dir={way}&colour={colour}&rows={rows}" for sort, way, colour, rows in choices]
    kept = read(Combined(), targets)
    assert len(targets) == 54
    assert len(kept) <= 1 + 2 + 1 + 2 + 2 + _MOST_COMBINED
    for choice in ("sort=price", "dir=desc", "colour=green", "rows=all"):
        assert any(choice in each for each in kept)


def test_two_names_that_were_not_given_together_are_read_together() -> None:
    combined = Combined()
    assert read(combined, ["/boats?sort=name", "/boats?q=tea", "/boats?q=tea&sort=name"])[2:]


def test_a_few_that_bring_nothing_more_are_read_as_well() -> None:
    targets = [
        f"/boats?colour={colour}&rows={rows}" for colour in ("red", "blue", "green") for rows in ("10", "50", "all")
    ]
    assert read(Combined(), targets) == targets


def test_what_chooses_the_page_is_another_page_in_each_combination() -> None:
    words = [f"w{number}x" for number in range(10)]
    targets = [f"/index.php?module={module}&action={action}&id=1" for module, action in product(words, words)]
    assert read(Combined(), targets) == targets


def test_addresses_that_differ_in_a_value_alone_are_each_read() -> None:
    targets = [f"/show?name=n{number}" for number in range(60)]
    assert read(Combined(), targets) == targets


def test_statements_that_somebody_wrote_are_one_value() -> None:
    targets = [f"/run?sql=select%20name%2C%20id%20from+boats+where+id+%3D+{number}" for number in range(60)]
    assert len(read(Combined(), targets)) == 1 + _MOST_COMBINED
