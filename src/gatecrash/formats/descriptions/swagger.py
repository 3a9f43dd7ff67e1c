"""Swagger 2.0 (OpenAPI 2.0), in JSON or YAML: put into the shape of OpenAPI 3, and read like it.

`host`, `basePath` and `schemes` become the server, parameters in `body` and `formData` the request body, and
`collectionFormat` the style.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.document import References, as_list, as_object, load
from gatecrash.formats.descriptions.meant_for import METHODS
from gatecrash.formats.descriptions.operations import drafts

WHAT = "Swagger document"
_STYLES = {"multi": ("form", True), "ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False)}


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The document's operations as drafts. Raises UnreadableCapture where it is none, with the place."""
    document = load(stream, WHAT)
    if not str(document.get("swagger") or "").startswith("2."):
        raise UnreadableCapture(f"The {WHAT} says `swagger: {document.get('swagger')}`; 2.0 can be read.")
    if not isinstance(document.get("paths"), dict) or not document["paths"]:
        raise UnreadableCapture(f"The {WHAT} has no `paths`, so it describes no operation.")
    yield from drafts(_Upgrade(document).whole())


class _Upgrade:
    """A 2.0 document in the shape of 3.0; its definitions stay where they are, for references lead there."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._references = References(document)

    def whole(self) -> dict[str, Any]:
        """The document with its servers and paths written anew."""
        paths = {path: self._item(item) for path, item in self._document["paths"].items()}
        return {**self._document, "servers": [{"url": self._server()}], "paths": paths}

    def _server(self) -> str:
        host, base = self._document.get("host"), str(self._document.get("basePath") or "")
        if not host:
            return base
        schemes = [one for one in as_list(self._document.get("schemes")) if one in ("https", "http")]
        return f"{schemes[0] if schemes else 'http'}://{host}{base}"

    def _item(self, found: Any) -> Any:
        """A path's operations; where a reference is broken it stays as it was, and is told when it is read."""
        try:
            item = as_object(self._references.follow(found))
            shared = [self._references.follow(one) for one in as_list(item.get("parameters"))]
            return {
                **{key: one for key, one in item.items() if key != "parameters"},
                **{key: self._operation(item[key], shared) for key in METHODS if isinstance(item.get(key), dict)},
            }
        except ValueError:
            return found

    def _operation(self, operation: dict[str, Any], shared: list[Any]) -> dict[str, Any]:
        own = [as_object(self._references.follow(one)) for one in as_list(operation.get("parameters"))]
        once = {(one.get("name"), one.get("in")): one for one in (*map(as_object, shared), *own)}
        body = next((one for one in once.values() if one.get("in") == "body"), None)
        fields = [one for one in once.values() if one.get("in") == "formData"]
        others = [_parameter(one) for one in once.values() if one.get("in") not in ("body", "formData")]
        changed = {**operation, "parameters": others, "responses": self._responses(operation)}
        consumed = list(map(str, as_list(operation.get("consumes", self._document.get("consumes")))))
        if body is not None:
            media = {
                key: one
                for key, one in {"schema": body.get("schema", {}), "x-example": body.get("x-example")}.items()
                if one is not None
            }
            changed["requestBody"] = {"content": dict.fromkeys(consumed or ["application/json"], media)}
        elif fields:
            changed["requestBody"] = {"content": {_form_type(fields, consumed): {"schema": _form_schema(fields)}}}
        return changed

    def _responses(self, operation: Mapping[str, Any]) -> dict[str, Any]:
        """Only what answers are written in: `produces`."""
        produced = as_list(operation.get("produces", self._document.get("produces")))
        return {"200": {"content": {str(kind): {} for kind in produced}}}


def _parameter(one: Mapping[str, Any]) -> dict[str, Any]:
    style, explode = _STYLES.get(str(one.get("collectionFormat")), (None, False))
    outside = {key: one[key] for key in ("name", "in", "x-example", "example") if key in one}
    return {**outside, "schema": _schema(one), "explode": explode, **({"style": style} if style else {})}


def _schema(one: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a parameter that are its schema."""
    return {key: value for key, value in one.items() if key not in ("name", "in", "required", "description")}


def _form_type(fields: Sequence[Mapping[str, Any]], consumed: list[str]) -> str:
    """Multipart where a file is among the fields, else what the operation takes, else an ordinary form."""
    if any(one.get("type") == "file" for one in fields):
        return "multipart/form-data"
    forms = ("application/x-www-form-urlencoded", "multipart/form-data")
    return next((kind for kind in consumed if kind in forms), forms[0])


def _form_schema(fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    named = [one for one in fields if isinstance(one.get("name"), str)]
    return {
        "type": "object",
        "properties": {one["name"]: _schema(one) for one in named},
        "required": [one["name"] for one in named if one.get("required") is True],
    }
