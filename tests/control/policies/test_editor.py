"""The form gives the API what it takes, and shows what was sent or kept."""

from django.http import QueryDict

from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.policies.bodies import NewPolicy
from gatecrash.control.policies.editor import METHODS, PLACES, form
from gatecrash.control.policies.extension_form import ExtensionRow
from gatecrash.control.policies.mapping import shown
from gatecrash.control.policies.point_rows import Row
from gatecrash.core.testing.policy import DEFAULT, LOCATIONS, TYPES, Policy

KEPT = Policy(
    id="pol_1",
    name="careful",
    types=("sqli", "auth"),
    include=(("get", "q"), ("post", "json_doc", ".*")),
    exclude=(("header", "COOKIE", "cookie", "theme"),),
    methods_excluded=("delete", "PURGE"),
    budget=5,
)
SENT = (
    "name=mine&desc=&tags=a,b&types=sqli&types=xss&locations=get&methods_excluded=DELETE&more_methods=PURGE&budget=7"
    "&include_kind=get&include_text=&include_kind=cookie&include_text=sid&exclude_kind=body&exclude_text="
)


def test_what_is_sent_becomes_the_api_s_document() -> None:
    order = form(QueryDict(SENT), shown(KEPT)).checked(NewPolicy)
    assert order is not None
    assert (order.types, order.locations, order.tags, order.budget) == (["sqli", "xss"], ["get"], ["a", "b"], 7)
    assert order.methods_excluded == ["DELETE", "PURGE"]
    assert order.include == [["header", "COOKIE", "cookie", "sid"]]
    assert order.exclude == [["post"]]


def test_what_is_kept_is_shown() -> None:
    found = form(None, shown(KEPT))
    assert [one.value for one in found.types if one.checked] == ["auth", "sqli"]
    assert [one.value for one in found.methods if one.checked] == ["DELETE"]
    assert found.named["more_methods"].value == "PURGE"
    assert found.include == [Row("get", "q"), Row("steps", '["post","json_doc",".*"]'), Row("get", "")]
    assert found.exclude == [Row("cookie", "theme"), Row("get", "")]


def test_every_type_place_and_method_has_its_box_and_words() -> None:
    found = form(None, shown(DEFAULT))
    assert tuple(one.value for one in found.types) == TYPES
    assert all(one.about or one.note for one in found.types)
    assert tuple(one.value for one in found.locations) == LOCATIONS
    assert set(PLACES) >= set(LOCATIONS)
    assert tuple(one.value for one in found.methods) == METHODS


def test_a_row_is_removed_without_a_script() -> None:
    found = form(QueryDict("include_kind=get&include_text=a&include_kind=path&include_text=0"), {})
    found.edited("remove:include:0")
    assert found.include == [Row("path", "0"), Row("get", "")]
    for nonsense in ("add:include", "remove:types:0", "remove:include:x", "remove:include:9", ""):
        found.edited(nonsense)
    assert found.include == [Row("path", "0"), Row("get", "")]


def test_the_row_that_was_refused_is_marked() -> None:
    found = form(QueryDict("include_kind=get&include_text=a&include_kind=get&include_text=("), {})
    found.refuse(FieldErrors({"include": problem("invalid_point", [], place=1, reason="no regular expression")}))
    assert [row.wrong for row in found.include] == [False, True, False]
    assert found.problems["include"] == "No regular expression."


def test_extensions_come_with_an_empty_row_where_there_is_none_or_one_is_asked_for() -> None:
    assert form(None, {}).extensions == [ExtensionRow("", "")]
    found = form(QueryDict("extension_name=a.yaml&extension_text=x&extension_name=b.yaml&extension_text=y"), {})
    assert [row.name for row in found.extensions] == ["a.yaml", "b.yaml"]
    found.edited("add:extension")
    assert [row.name for row in found.extensions] == ["a.yaml", "b.yaml", ""]
    found.edited("remove:extension:0")
    assert [row.name for row in found.extensions] == ["b.yaml"]
