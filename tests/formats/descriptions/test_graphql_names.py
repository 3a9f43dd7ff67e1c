"""Guesses at names of schemas."""

from gatecrash.formats.descriptions.graphql_names import of_mutations, of_queries, plural


def test_what_asks_for_things_and_changes_them_is_called_after_them() -> None:
    assert list(of_queries(["city"])) == ["city", "cities", "cityById", "allCities", "myCities", "searchCities"]
    assert "deleteTeaCup" in list(of_mutations(["teaCup"]))
    assert [plural(each) for each in ("user", "box", "address")] == ["users", "boxes", "addresses"]
