"""Every scalar of an answer, with the names that lead to it."""

from tests.range.place import answer, page

from gatecrash.core.testing.authorization.leaves import leaves


def test_every_scalar_with_the_names_that_lead_to_it():
    told = leaves(answer({"a": [{"b": 1}, {"b": "x"}], "c": None, "d": True}))
    assert sorted(told) == [(("a", "b"), "1"), (("a", "b"), "x"), (("d",), "True")]
    assert leaves(page("<p>")) == []
