"""The names by which pages call who reads them."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.greetings import Greetings

HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)
SITE = "<h1>Harbour Club</h1><footer>Open Every Day</footer>"


def read(name: str, pages: int = 4, around: str = SITE, status: int = 200, method: str = "GET") -> Greetings:
    """What is known of somebody who read so many pages that greet him by this name, each about somebody else."""
    greetings = Greetings()
    for number in range(pages):
        body = f"<nav><b> {name} </b></nav>{around}<p>Guest Number{'abcdefghijk'[number]}</p>"
        greetings.see(Exchange(Request(method, b"/p%d" % number), Response(status, HTML, body.encode())))
    return greetings


def test_what_is_on_all_pages_of_one_and_few_of_anothers_is_his_name():
    assert read("Lucía Ferrer").beside(read("Marcos Vidal")) == {"lucía ferrer"}
    assert read("Jan van O&#39;Dell").beside(read("Marcos Vidal")) == frozenset(), "not each word has a capital"
    assert read("Ann O&#39;Dell").beside(read("Marcos Vidal")) == {"ann o'dell"}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (read("Ann Lee"), read("Ann Lee")),
        (read("Ann Lee", pages=2), read("Ben Ray")),
        (read("Ann Lee"), read("Ben Ray", pages=2)),
        (read("Ann Lee", status=404), read("Ben Ray")),
        (read("Ann Lee", method="POST"), read("Ben Ray")),
        (read("3 new letters"), read("5 new letters")),
        (read("annlee"), read("benray")),
        (read("Ann Lee"), read("Ben Ray", around=SITE + "<i>Ann Lee</i>")),
    ],
    ids=["both", "few", "few others", "refused", "a change", "a number", "one word", "on each of the other's"],
)
def test_nothing_else_is(mine, theirs):
    assert not mine.beside(theirs)


def test_many_texts_of_his_pages_alone_are_no_names():
    other_language = "".join(f"<p>Word Number{each}</p>" for each in "abcde")
    assert not read("Ann Lee", around=other_language).beside(read("Ben Ray"))


def test_a_page_without_the_frame_takes_no_name():
    greetings = read("Ann Lee", pages=10)
    greetings.see(Exchange(Request("GET", b"/print"), Response(200, HTML, b"<pre>Invoice</pre>")))
    assert greetings.beside(read("Ben Ray")) == {"ann lee"}


def test_who_manages_others_sees_their_names_in_a_list():
    manager = read("Ben Ray")
    manager.see(Exchange(Request("GET", b"/people"), Response(200, HTML, b"<td>Ann Lee</td><td>Ben Ray</td>")))
    assert read("Ann Lee").beside(manager) == {"ann lee"}
