"""Where nothing but a number may stand, the number within an identifier is meant."""

from gatecrash.core.point import Point
from gatecrash.formats.draft import Hole
from gatecrash.node.scan.drafts.fitting import fitting, names_told_by

AT = Point(("post", "json_doc", "json_obj", "variables", "json_obj", "cardId"))
KNOWN = ["Q2FyZDo1MTA=", "note-7", 12, "13"]


def test_a_number_is_taken_out_of_what_holds_a_kind_and_a_number() -> None:
    assert [*fitting(Hole("cardId", AT, counted=True), KNOWN)] == ["510", 12, "13"]


def test_elsewhere_all_stay_as_they_are() -> None:
    assert [*fitting(Hole("cardId", AT), KNOWN)] == KNOWN


def test_an_identifier_says_itself_what_it_names() -> None:
    assert names_told_by("Q2FyZDo1MTA=", "itemid") == ("cardid",)
    assert names_told_by("Q2FyZDo1MTA=", "cardid") == ()
    assert [names_told_by(one, "itemid") for one in ("510", 510)] == [(), ()]
