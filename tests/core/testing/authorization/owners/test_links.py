"""Links to an address, as pages write them."""

import pytest

from gatecrash.core.testing.authorization.owners.links import links_to

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
