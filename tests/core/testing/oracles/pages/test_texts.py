"""A page is known again by its long texts."""

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.pages.texts import shows, texts_of

FRONT = read(
    Response(200, (), b"<h1>Town hall</h1><p>The council meets on Mondays.</p><p>Everybody may come and listen.</p>")
)


def test_long_texts_alone_tell_a_page():
    assert texts_of(FRONT) == {"the council meets on mondays.", "everybody may come and listen."}


def test_a_page_within_another_is_known_again_and_one_of_its_texts_is_not_enough():
    within = read(Response(200, (), b"<pre>The council meets on Mondays. Everybody may come and listen.</pre>"))
    other = read(Response(200, (), b"<p>The council meets on Mondays.</p>"))
    assert shows(within, texts_of(FRONT))
    assert not shows(other, texts_of(FRONT))
