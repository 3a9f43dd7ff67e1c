"""Bodies written from values: JSON, forms, multipart and XML.

One body for each family of media type that an operation takes, the likeliest first.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape, quoteattr

import msgspec

from gatecrash.formats.descriptions.document import as_object
from gatecrash.formats.descriptions.sample import Sampler, text_of
from gatecrash.formats.draft import Hole

BOUNDARY = "gatecrash-4f1c9a7e2b"
EXAMPLE_FILE, EXAMPLE_NAME = "example\n", "example.txt"
"""What is sent where a file is wanted, and its name."""


class Body(msgspec.Struct, frozen=True):
    """A body with its Content-Type. holes: what in it names things on the target."""

    content_type: str
    data: bytes
    holes: tuple[Hole, ...] = ()


def family(media_type: str) -> str:
    """`json`, `form`, `multipart`, `xml`, `text` or `other` for a media type."""
    plain = media_type.partition(";")[0].strip().lower()
    if plain in ("application/json", "*/*", "application/*", "text/json") or plain.endswith("+json"):
        return "json"
    if plain == "application/x-www-form-urlencoded":
        return "form"
    if plain.startswith("multipart/"):
        return "multipart"
    if plain in ("application/xml", "text/xml") or plain.endswith("+xml"):
        return "xml"
    return "text" if plain.startswith("text/") else "other"


def written(media_type: str, value: Any, media: Mapping[str, Any], sampler: Sampler) -> Body:
    """The value as a body of that type. media: the media type object, for a form's encodings and XML's names."""
    kind = family(media_type)
    plain = "application/json" if "*" in media_type else media_type
    if kind == "json":
        return Body(plain, json.dumps(value, ensure_ascii=False).encode())
    if kind == "form" and isinstance(value, dict):
        return Body(plain, form(value).encode())
    if kind == "multipart" and isinstance(value, dict):
        return multipart(value, media, sampler)
    # A text that is no XML, as a schema of any text makes it up, is no document either.
    if kind == "xml" and not str(value).lstrip().startswith("<"):
        return Body(plain, xml(value, as_object(media.get("schema")), sampler).encode())
    if isinstance(value, dict | list):
        return Body(plain, json.dumps(value, ensure_ascii=False).encode())
    return Body(plain, text_of(value).encode())


def form(value: Mapping[str, Any]) -> str:
    """A form: lists as repeated names, objects as JSON (OpenAPI 3.1 section 4.8.15)."""
    pairs = [(name, text) for name, one in value.items() for text in _texts(one)]
    return urlencode(pairs, quote_via=quote)


def multipart(value: Mapping[str, Any], media: Mapping[str, Any], sampler: Sampler) -> Body:
    """A multipart form; binary properties become files."""
    properties = as_object(sampler.flat(media.get("schema")).get("properties"))
    encodings = as_object(media.get("encoding"))
    parts: list[Part] = []
    for name, one in value.items():
        schema = sampler.flat(properties.get(name))
        items = sampler.flat(schema.get("items"))
        is_file = _is_file(schema) or _is_file(items)
        wanted = str(as_object(encodings.get(name)).get("contentType") or "").partition(",")[0].strip()
        for text in _texts(one):
            file_type = wanted or ("text/plain" if is_file else "application/json" if isinstance(one, dict) else "")
            parts.append(Part(name, EXAMPLE_FILE if is_file else text, EXAMPLE_NAME if is_file else "", file_type))
    return multipart_body(parts)


class Part(msgspec.Struct, frozen=True):
    """One part of a multipart body."""

    name: str
    text: str
    filename: str = ""
    content_type: str = ""


def multipart_body(parts: Iterable[Part], boundary: str = BOUNDARY) -> Body:
    """The parts as RFC 7578 wants them."""
    lines: list[str] = []
    for part in parts:
        disposition = f'Content-Disposition: form-data; name="{_quoted(part.name)}"'
        if part.filename:
            disposition += f'; filename="{_quoted(part.filename)}"'
        lines += [f"--{boundary}", disposition]
        if part.content_type:
            lines.append(f"Content-Type: {part.content_type}")
        lines += ["", part.text]
    lines += [f"--{boundary}--", ""]
    return Body(f"multipart/form-data; boundary={boundary}", "\r\n".join(lines).encode("utf-8", "surrogateescape"))


# What clients know by a file's ending.
_TYPES = {
    "gif": "image/gif",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "htm": "text/html",
    "html": "text/html",
    "pdf": "application/pdf",
    "xml": "application/xml",
}


def type_of(filename: str) -> str:
    """The media type that clients give a file of that name."""
    return _TYPES.get(filename.rpartition(".")[2].lower(), "application/octet-stream")


def xml(value: Any, schema: Mapping[str, Any], sampler: Sampler) -> str:
    """A value as XML, by the names, attributes and wrappings of the schema's `xml` members."""
    pointer = schema.get("$ref")
    name = pointer.rpartition("/")[2] if isinstance(pointer, str) else ""
    return '<?xml version="1.0" encoding="UTF-8"?>' + _element(value, sampler.flat(schema), sampler, name or "root")


def _element(value: Any, schema: Mapping[str, Any], sampler: Sampler, name: str) -> str:
    shape = as_object(schema.get("xml"))
    tag = str(shape.get("name") or name)
    if isinstance(value, list):
        return _listed(value, schema, sampler, tag)
    prefix = str(shape.get("prefix") or "")
    tag = f"{prefix}:{tag}" if prefix else tag
    space = shape.get("namespace")
    attributes = f" xmlns{':' + prefix if prefix else ''}={quoteattr(str(space))}" if space else ""
    if not isinstance(value, dict):
        return f"<{tag}{attributes}>{escape(text_of(value))}</{tag}>"
    inside = ""
    for key, one in value.items():
        part = sampler.flat(as_object(schema.get("properties")).get(key))
        if as_object(part.get("xml")).get("attribute") is True:
            attributes += f" {part['xml'].get('name') or key}={quoteattr(text_of(one))}"
        else:
            inside += _element(one, part, sampler, str(key))
    return f"<{tag}{attributes}>{inside}</{tag}>"


def _listed(values: list[Any], schema: Mapping[str, Any], sampler: Sampler, tag: str) -> str:
    items = sampler.flat(schema.get("items"))
    inner = str(as_object(items.get("xml")).get("name") or tag)
    elements = "".join(_element(one, items, sampler, inner) for one in values)
    return f"<{tag}>{elements}</{tag}>" if as_object(schema.get("xml")).get("wrapped") is True else elements


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [json.dumps(one) if isinstance(one, dict | list) else text_of(one) for one in value]
    return [json.dumps(value) if isinstance(value, dict) else text_of(value)]


def _is_file(schema: Mapping[str, Any]) -> bool:
    """Binary text in 3.0, `contentMediaType` in 3.1, `type: file` in 2.0."""
    return schema.get("format") == "binary" or schema.get("type") == "file" or "contentMediaType" in schema


def _quoted(name: str) -> str:
    """As browsers write a name in a disposition."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
