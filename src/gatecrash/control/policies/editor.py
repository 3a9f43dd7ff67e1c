"""The form that makes and changes a policy: types with what they are, places, points as rows, limits.

Rows are added and removed in the browser; without scripts the same buttons send the form, which comes back with a row
more or less and nothing saved.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.policies import extension_form, fuzzer_form, point_rows
from gatecrash.control.policies.extension_form import ExtensionRow
from gatecrash.control.policies.point_rows import Row
from gatecrash.control.ui.forms import Field, Form, Shown
from gatecrash.core.testing.catalogue import CATALOGUE, entry_of
from gatecrash.core.testing.policy import LOCATIONS, MOST_REQUESTS, TYPES

PLACES = {
    "uri": ("The whole address", "everything behind the host"),
    "path": ("Path segments", "/users/42"),
    "action_name": ("Name of the last segment", "report in /files/report.pdf"),
    "action_ext": ("Extension of the last segment", "pdf in /files/report.pdf"),
    "get": ("Query parameters", "?q=tea"),
    "post": ("Body fields", "forms, JSON, XML, uploads, and what is encoded in them"),
    "name": ("Names of parameters", "q itself in ?q=tea"),
    "header": ("Headers and cookies", "X-Trace, Referer, theme=dark"),
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ROWS = ("include", "exclude")
# What each row of a form is sent as.
_PARTS = {"include": ("kind", "text"), "exclude": ("kind", "text"), "extension": ("name", "text")}
FIELDS = (
    Field("name", "Name", required=True),
    Field("desc", "Description", "long", nullable=False),
    Field("tags", "Tags", "tags", hint="Separated by commas."),
    Field("types", "Vulnerability types", "checks", choices=[(type_, type_) for type_ in TYPES]),
    Field("locations", "Places that are tried", "checks", choices=[(name, name) for name in LOCATIONS]),
    Field("methods_excluded", "Leave out requests with these methods", "checks"),
    Field("more_methods", "Other methods to leave out", "tags", hint="Separated by commas, for example PURGE, LINK."),
    Field(
        "budget",
        "Most test requests for one baseline",
        "number",
        low=1,
        high=MOST_REQUESTS,
        hint="Unlimited where this is empty. What a budget leaves undone is told as inconclusive.",
    ),
    Field("only_custom", "Try nothing but these", "check"),
    Field(
        "logins",
        "Try wrong passwords at logins",
        "check",
        hint="For info: three for the recorded name, twenty for an invented one. Tells whether names are told and tries limited.",
    ),
    Field(
        "one_family",
        "Be quick",
        "check",
        hint="Of each class only the payloads that confirm most of it: far fewer requests, and what only waits, stores or rare spellings show is missed.",
    ),
    *fuzzer_form.FIELDS,
)


@dataclass(frozen=True, slots=True)
class Option:
    """A box to tick. about: what it means. note: why it may do nothing."""

    value: str
    title: str
    about: str
    checked: bool
    note: str = ""


@dataclass
class PolicyForm(Form):
    """A policy's form. places: the row that was refused, by its field. one_more: an empty extension is to be shown."""

    places: dict[str, int] = field(default_factory=dict)
    one_more: bool = False

    def document(self) -> dict[str, Any]:
        """What was sent as the API takes it: rows as points, all methods in one list."""
        found = super().document()
        more = found.pop("more_methods", [])
        found["methods_excluded"] = [*found["methods_excluded"], *more]
        found["fuzzer"] = fuzzer_form.document(found)
        found["extensions"] = extension_form.document(self._extensions())
        for name in ROWS:
            rows = self._rows(name)
            found[name] = [point for row in rows if (point := point_rows.pattern(row.kind, row.text)) is not None]
        return found

    def refuse(self, error: FieldErrors) -> None:
        """Take the problems of a refusal, with the rows that they are about."""
        super().refuse(error)
        for name in {"extensions"} & error.problems.keys():
            self.problems[name] = extension_form.told(error.problems[name]) or self.problems[name]
        self.places |= {name: found["place"] for name, found in error.problems.items() if "place" in found}

    @property
    def named(self) -> dict[str, Shown]:
        """The fields by their names."""
        return {shown.field.name: shown for shown in self}

    @property
    def types(self) -> list[Option]:
        """Every vulnerability type, with why it matters."""
        chosen = self.named["types"].value
        return [
            Option(
                type_,
                entry_of(type_).title,
                _first_sentence(entry_of(type_).why),
                type_ in chosen,
                "" if type_ in CATALOGUE else "No probe of this version reports it yet.",
            )
            for type_ in TYPES
        ]

    @property
    def locations(self) -> list[Option]:
        """Every kind of place, with an example."""
        chosen = self.named["locations"].value
        return [Option(name, *PLACES.get(name, (name, "")), name in chosen) for name in LOCATIONS]

    @property
    def methods(self) -> list[Option]:
        """The methods that are known by name."""
        chosen = {method.upper() for method in self.named["methods_excluded"].value}
        return [Option(method, method, "", method in chosen) for method in METHODS]

    @property
    def include(self) -> list[Row]:
        """The rows of points that are included, and an empty one."""
        return self._with_empty("include")

    @property
    def exclude(self) -> list[Row]:
        """The rows of points that are left out, and an empty one."""
        return self._with_empty("exclude")

    @property
    def extensions(self) -> list[ExtensionRow]:
        """The rows of extensions; an empty one where there are none, or one was asked for."""
        wrong = self.places.get("extensions")
        rows = [row._replace(wrong=place == wrong) for place, row in enumerate(self._extensions())]
        return [*rows, ExtensionRow("", "")] if self.one_more or not rows else rows

    def edited(self, order: str) -> None:
        """Do what a button of the rows says: `remove:include:2`, `add:extension`; points always end with an empty row."""
        self.one_more = order == "add:extension"
        verb, _, rest = order.partition(":")
        name, _, place = rest.partition(":")
        if verb == "remove" and name in _PARTS and place.isdecimal() and isinstance(self.data, QueryDict):
            data = self.data.copy()
            for part in _PARTS[name]:
                values = data.getlist(f"{name}_{part}")
                data.setlist(f"{name}_{part}", [*values[: int(place)], *values[int(place) + 1 :]])
            self.data = data

    def _with_empty(self, name: str) -> list[Row]:
        wrong = self.places.get(name)
        rows = [row._replace(wrong=place == wrong) for place, row in enumerate(self._rows(name))]
        return [*rows, Row("get", "")]

    def _extensions(self) -> list[ExtensionRow]:
        if isinstance(self.data, QueryDict):
            return extension_form.sent(self.data.getlist("extension_name"), self.data.getlist("extension_text"))
        return extension_form.kept(self.initial.get("extensions", ()))

    def _rows(self, name: str) -> list[Row]:
        if isinstance(self.data, QueryDict):
            return point_rows.sent(self.data.getlist(f"{name}_kind"), self.data.getlist(f"{name}_text"))
        return [point_rows.row(point) for point in self.initial.get(name, ())]


def form(data: Mapping[str, str] | None, shown: Mapping[str, Any]) -> PolicyForm:
    """The form with what was sent, else with a policy as the API shows it."""
    methods = [method.upper() for method in shown.get("methods_excluded", ())]
    others = [method for method in methods if method not in METHODS]
    fuzzer = fuzzer_form.initial(shown["fuzzer"]) if "fuzzer" in shown else {}
    return PolicyForm(FIELDS, data, {**shown, **fuzzer, "methods_excluded": methods, "more_methods": others})


def _first_sentence(text: str) -> str:
    head, dot, _ = text.partition(". ")
    return head + dot.rstrip()
