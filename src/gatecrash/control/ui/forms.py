"""Forms over the API's own bodies: the same models check what is sent, so both sides refuse the same things.

form = Form(FIELDS, sent(request))
order = form.checked(NewRun)        the model, or None where `form.problems` says what is wrong
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, QueryDict
from pydantic import BaseModel

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.ui import words

Choices = Sequence[tuple[str, str]]


def sent(request: HttpRequest) -> QueryDict | None:
    """What a form's fields hold that was sent; None where its page is only asked for."""
    return request.POST if request.method == "POST" else None


@dataclass(frozen=True, slots=True)
class Field:
    """One field. kind: `text`, `long`, `choice`, `check`, `checks`, `number`, `range`, `password`, `tags`.

    checks: any of the choices.

    help: a term of `words.TERMS`. nullable: an empty text is left out. unit: shown behind a number; `seconds` is shown
    as a duration. advanced: folded away at first.
    """

    name: str
    label: str
    kind: str = "text"
    hint: str = ""
    help: str = ""
    initial: Any = ""
    choices: Choices = ()
    low: int | None = None
    high: int | None = None
    step: int = 1
    unit: str = ""
    required: bool = False
    nullable: bool = True
    advanced: bool = False
    autocomplete: str = "off"

    def read(self, data: Mapping[str, str]) -> Any:
        """The JSON value of what was sent; None where it is to be left out."""
        text = data.get(self.name, "")
        if self.kind == "check":
            return self.name in data
        if self.kind == "checks":
            return data.getlist(self.name) if isinstance(data, QueryDict) else []
        if self.kind == "tags":
            return [tag.strip() for tag in text.split(",") if tag.strip()]
        if not text.strip() and self.nullable and not self.required:
            return None
        if self.kind in ("number", "range"):
            digits = text.strip()
            return int(digits) if digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 18 else text
        return text.replace("\r\n", "\n") if self.kind == "long" else text


@dataclass(frozen=True, slots=True)
class Shown:
    """A field as its template shows it."""

    field: Field
    value: Any
    error: str

    @property
    def described_by(self) -> str:
        """The identifiers of what explains the field to a screen reader."""
        parts = [f"{self.field.name}-error"] if self.error else []
        return " ".join([*parts, f"{self.field.name}-hint"] if self.field.hint else parts)


@dataclass
class Form:
    """Fields with what was sent, and what is wrong with it."""

    fields: Sequence[Field]
    data: Mapping[str, str] | None = None
    initial: Mapping[str, Any] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """What was sent as a JSON object."""
        assert self.data is not None
        found = {item.name: item.read(self.data) for item in self.fields}
        return {name: value for name, value in found.items() if value is not None}

    def checked(self, model: type[BaseModel], **more: Any) -> Any:
        """The model of what was sent; None, with `problems` filled, where the API would refuse it."""
        try:
            return fields.validate(model, {**self.document(), **more})
        except FieldErrors as error:
            self.refuse(error)
            return None

    def refuse(self, error: FieldErrors) -> None:
        """Take the problems of a refusal."""
        self.problems |= {name: words.problem(found) for name, found in error.problems.items()}

    def __iter__(self) -> Iterator[Shown]:
        """Every field to show."""
        return iter([self._shown(item) for item in self.fields])

    @property
    def plain(self) -> list[Shown]:
        """The fields that are always seen."""
        return [self._shown(item) for item in self.fields if not item.advanced]

    @property
    def advanced(self) -> list[Shown]:
        """The fields that are folded away."""
        return [self._shown(item) for item in self.fields if item.advanced]

    @property
    def advanced_open(self) -> bool:
        """Whether the folded fields need looking at."""
        return any(item.error for item in self.advanced)

    @property
    def elsewhere(self) -> list[str]:
        """Problems of no field that is shown."""
        names = {item.name for item in self.fields}
        return [text for name, text in self.problems.items() if name not in names]

    def _shown(self, item: Field) -> Shown:
        value = self._initial(item) if self.data is None else self._sent(item, self.data)
        return Shown(item, "" if value is None else value, self.problems.get(item.name, ""))

    def _initial(self, item: Field) -> Any:
        value = self.initial.get(item.name, item.initial)
        if item.kind == "tags" and not isinstance(value, str):
            return ", ".join(value)
        return value

    @staticmethod
    def _sent(item: Field, data: Mapping[str, str]) -> Any:
        if item.kind == "check":
            return item.name in data
        return item.read(data) if item.kind == "checks" else data.get(item.name, "")
