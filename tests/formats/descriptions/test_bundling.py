"""A document of several files is read as one, and no file outside of its folder."""

import io
import json
from typing import Any

import pytest

from gatecrash.formats.descriptions.bundling import bundled, leads_out
from gatecrash.formats.descriptions.openapi import read

MAIN = b"""
openapi: 3.0.0
paths:
  /pots: {$ref: ./paths/pots.yaml#/all}
  /pots/{id}: {$ref: "paths/pot.json"}
components:
  schemas: {$ref: schemas/index.yaml}
  parameters: {Id: {in: path, name: id, required: true, schema: {type: integer, example: 7}}}
"""
FILES = {
    "paths/pots.yaml": b"all: {post: {requestBody: {content: {application/json: {schema: {$ref: ../schemas/index.yaml#/Pot}}}}}}",
    "paths/pot.json": b'{"parameters": [{"$ref": "../openapi.yaml#/components/parameters/Id"}], "get": {"parameters": [{"$ref": "#/components/parameters/Id"}]}}',
    "schemas/index.yaml": b"Pot: {type: object, properties: {lid: {$ref: '#/Lid'}, of: {$ref: 'a b/of%20%25what.yaml'}}}\nLid: {type: string, enum: [flat]}",
    "schemas/a b/of %what.yaml": b"type: string\nenum: [clay]",
}


def drafts(main: bytes, files: dict[str, bytes]) -> list[Any]:
    return list(read(io.BytesIO(bundled(main, "openapi.yaml", files.get))))


def test_what_other_files_hold_is_found_from_wherever_it_is_named() -> None:
    make, ask = drafts(MAIN, FILES)
    assert json.loads(make.request.body) == {"lid": "flat", "of": "clay"}
    assert ask.request.target == b"/pots/7"


def test_paths_and_discriminators_may_lead_to_files() -> None:
    main = b"openapi: 3.0.0\npaths: {$ref: paths.yaml}"
    choice = b"oneOf: [{$ref: cat.yaml}]\ndiscriminator: {propertyName: kind, mapping: {feline: cat.yaml}}"
    paths = b"/a: {put: {requestBody: {content: {application/json: {schema: {$ref: choice.yaml}}}}}}"
    (one,) = drafts(
        main, {"paths.yaml": paths, "choice.yaml": choice, "cat.yaml": b"type: object\nproperties: {n: {}}"}
    )
    assert json.loads(one.request.body) == {"n": "example", "kind": "feline"}


def test_files_that_name_each_other_are_asked_for_once() -> None:
    asked: list[str] = []

    def reading(place: str) -> bytes:
        asked.append(place)
        return b"a: {$ref: '%s.yaml#/a'}" % (b"y" if place == "x.yaml" else b"x")

    (one,) = read(io.BytesIO(bundled(b"openapi: 3.0.0\npaths: {/a: {$ref: 'x.yaml#/a'}}", "o.yaml", reading)))
    assert "circle" in one.why  # type: ignore[union-attr]
    assert asked == ["x.yaml", "y.yaml"]


@pytest.mark.parametrize(
    "place", ["../x.yaml", "paths/../../x.yaml", "/etc/x.yaml", "http://h.example/x.yaml", "none.yaml"]
)
def test_what_is_elsewhere_is_not_asked_for_and_told_where_it_is_needed(place: str) -> None:
    asked: list[str] = []
    main = b"openapi: 3.0.0\npaths: {/a: {$ref: '%s'}}" % place.encode()
    (one,) = read(io.BytesIO(bundled(main, "o.yaml", asked.append)))  # type: ignore[func-returns-value]
    assert "leads out of the document" in one.why  # type: ignore[union-attr]
    assert asked == ([place] if place == "none.yaml" else [])


@pytest.mark.parametrize("data", [b"openapi: 3.0.0\npaths: {/a: {$ref: '#/b'}}", b"\x00$ref: x", b"- $ref: x.yaml"])
def test_what_names_no_file_or_is_no_document_stays_byte_by_byte(data: bytes) -> None:
    assert bundled(data, "o.yaml", lambda _: None) == data
    assert leads_out(data) is not data.startswith(b"openapi")
