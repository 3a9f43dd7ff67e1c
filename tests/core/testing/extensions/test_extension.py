"""What a phase asks for where nothing is said."""

from gatecrash.core.testing.extensions.extension import INSERTIONS, Extension, Generating, Sending, Told


def test_what_is_not_said_asks_for_nothing():
    extension = Extension("x", Told("t", "info", 1), ())
    assert extension.collect is None
    assert (extension.match, extension.before, extension.modify, extension.send) == ((), (), (), ())
    assert extension.generate is None
    assert Generating((), ()).into == ()
    assert Sending("GET", "/").headers == ()


def test_insertions_are_four():
    assert set(INSERTIONS) == {"prefix", "postfix", "replace", "random"}
