"""Links to an address, as pages write them."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.page_links import links_to, with_whole_addresses

MESSAGE = b"/board/index.php?page=message&id=7"


@pytest.mark.parametrize(
    ("page", "target", "found"),
    [
        ("<a href='/board/index.php?page=message&id=7'>", MESSAGE, True),
        ('<a href="index.php?page=message&amp;id=7">', MESSAGE, True),
        ("<a href=./index.php?page=message&id=7>", MESSAGE, True),
        ("<form action='?page=message&id=7'>", MESSAGE, True),
        ("<a href='../board/index.php?page=message&amp;id=7#end'>", MESSAGE, True),
        ('{"next": "/notes/7"}', b"/notes/7", True),
        ("<a href='notes/7'>", b"/app/notes/7", True),
        ("<a href='fee.php?id=7'>", b"/club/fee.php?id=7", True),
        # Of another thing, or of any.
        ("<a href='index.php?page=message&id=71'>", MESSAGE, False),
        ("<a href='index.php?page=note&id=7'>", MESSAGE, False),
        ("<a href='?id=7'>", b"/club/fee.php?id=7", False),
        ("<a href='7'>", b"/app/notes/7", False),
        ("<a href='/other/notes/7'>", b"/app/notes/7", False),
        ("fee.php?id=7", b"/club/fee.php?id=7", False),
        ("<a href='/'>", b"", False),
    ],
)
def test_a_link_may_leave_out_what_stands_before_its_last_words(page, target, found):
    assert links_to(page, target) is found


@pytest.mark.parametrize(
    ("page", "read"),
    [
        ("<a href='?id=7'>", "<a href='/club/fees/?id=7'>"),
        ('<li><a class="x" href=7>', '<li><a class="x" href=/club/fees/7>'),
        ("<a href='../dues.php?id=7'>", "<a href='/club/dues.php?id=7'>"),
        ("<a href='/fees/?id=7'>", "<a href='/fees/?id=7'>"),
        ("<a href='//other.example/7'>", "<a href='//other.example/7'>"),
        ("<a href='https://other.example/7'>", "<a href='https://other.example/7'>"),
        ("<a href='mailto:7'>", "<a href='mailto:7'>"),
        ("<a href='#7'>", "<a href='#7'>"),
    ],
)
def test_the_links_of_a_page_are_read_from_where_it_stands(page, read):
    html = ((b"Content-Type", b"text/html"),)
    assert with_whole_addresses(Response(200, html, page.encode()), b"/club/fees/").body == read.encode()


def test_what_is_no_page_is_left_as_it_is():
    answer = Response(200, ((b"Content-Type", b"application/json"),), b'{"link": "<a href=\'?id=7\'>"}')
    assert with_whole_addresses(answer, b"/fees") is answer
