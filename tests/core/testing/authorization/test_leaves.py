"""Every scalar of an answer, with the names that lead to it."""

from tests.range.place import answer, page

from gatecrash.core.testing.authorization.leaves import leaves


def test_every_scalar_with_the_names_that_lead_to_it():
    told = leaves(answer({"a": [{"b": 1}, {"b": "x"}], "c": None, "d": True}))
    assert sorted(told) == [(("a", "b"), "1"), (("a", "b"), "x"), (("d",), "True")]
    assert leaves(page("<p>")) == []


def test_whose_an_object_of_json_api_is_stands_where_others_say_it():
    linkage = {"links": {"self": "/u"}, "data": {"type": "users", "id": "7"}}
    told = leaves(answer({"data": {"id": "3", "relationships": {"owner": linkage}}}))
    assert (("data", "relationships", "owner", "id"), "7") in told
    assert (("data", "relationships", "owner", "links", "self"), "/u") in told
    assert (("data", "id"), "3") in told
