"""Which pages stand near a path."""

import random

from gatecrash.core.testing.addresses.page_paths import Beginnings, nearness, steps_in_common


def test_paths_are_near_that_begin_alike_and_the_same_is_nearest():
    assert nearness(b"/posts/7", b"/posts/7/") == 3
    assert nearness(b"/posts/7/pin", b"/posts/7") == nearness(b"/posts/7/pin", b"/posts/7/pin/x") - 1 == 2
    assert nearness(b"/posts", b"/about") == 0


def test_the_nearest_come_first_and_of_equally_near_ones_the_oldest():
    places = Beginnings[str]()
    for path in ("/about", "/posts/8", "/posts", "/posts/7/pin", "/posts/7"):
        places.put(path, path.encode())
    assert [*places.nearest(b"/posts/7/pin")] == ["/posts/7/pin", "/posts/7", "/posts/8", "/posts", "/about"]
    assert [*Beginnings[str]().nearest(b"/posts")] == []


def test_the_order_is_that_of_comparing_them_all_and_what_is_gone_leaves_nothing():
    draw, places, known = random.Random(5), Beginnings[int](), dict[int, bytes]()
    for number in range(300):
        known[number] = b"/" + b"/".join(draw.choice([b"a", b"b", b"c"]) for _ in range(draw.randrange(6)))
        places.put(number, known[number])
        if number % 3 == 0:
            gone = draw.choice([*known])
            del known[gone]
            places.drop(gone)
        path = draw.choice([*known.values(), b"/", b"/a/b"])
        assert [*places.nearest(path)] == sorted(known, key=lambda key: -nearness(path, known[key]))
    for key in known:
        places.drop(key)
    assert not places._below


def test_a_path_without_an_end_costs_little():
    places = Beginnings[str]()
    places.put("deep", b"/x" * 5000)
    places.put("other", b"/x" * 20)
    assert len(places._below) <= 20
    assert [*places.nearest(b"/x" * 20)] == ["other", "deep"]


def test_steps_in_common_are_counted_from_the_beginning():
    assert [steps_in_common(b"/api/orders/7", each) for each in (b"/api/orders/8", b"/api", b"/orders/7")] == [3, 2, 1]
