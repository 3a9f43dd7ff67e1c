"""Operations become drafts in the order of their document; parameters of a path hold for its operations."""

import json
from typing import Any

import pytest

from gatecrash.formats.descriptions.operations import drafts
from gatecrash.formats.draft import SECURED_ITSELF, SECURED_WITH_ALL


def requests(paths: Any, **document: Any) -> list[Any]:
    return list(drafts({"paths": paths, **document}))


def test_an_operations_parameter_takes_the_place_of_its_paths() -> None:
    shared = [{"name": "q", "in": "query", "example": "path"}, {"name": "r", "in": "query", "example": "path"}]
    (one,) = requests(
        {"/a": {"parameters": shared, "get": {"parameters": [{"name": "q", "in": "query", "example": "own"}]}}}
    )
    assert one.request.target == b"/a?q=own&r=path"


def test_the_server_nearest_to_the_operation_is_asked() -> None:
    near, far = [{"url": "http://near.example"}], [{"url": "http://far.example"}]
    one, other = requests({"/a": {"get": {"servers": near}, "put": {}}}, servers=far)
    assert (one.request.host, other.request.host) == ("near.example", "far.example")


def test_a_placeholder_that_nobody_describes_gets_a_value_and_is_a_hole() -> None:
    (one,) = requests({"/a/{thing}.json/{thing_id}": {"get": {}}})
    assert one.request.target == b"/a/example.json/1"
    assert [(hole.name, tuple(hole.point)) for hole in one.holes] == [("thing_id", ("path", "2"))], (
        "whole segments only"
    )


def test_a_query_parameter_is_a_hole_and_a_loose_one_where_it_names_nothing() -> None:
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("user_id", "q")]
    (one,) = requests({"/a": {"get": {"parameters": parameters}}})
    assert [(hole.name, hole.loose) for hole in one.holes] == [("user_id", False), ("q", True)]


@pytest.mark.parametrize(
    ("media_type", "media", "body"),
    [
        ("application/json", {}, b"{}"),
        ("application/json", {"schema": {}}, b"{}"),
        ("application/x-www-form-urlencoded", {}, b""),
        ("application/json", {"schema": {"type": "string"}}, b'"example"'),
        ("text/plain", {}, b"example"),
    ],
)
def test_a_body_of_members_that_nothing_describes_has_none_until_a_refusal_names_them(
    media_type: str, media: Any, body: bytes
) -> None:
    (one,) = requests({"/a": {"post": {"requestBody": {"content": {media_type: media}}}}})
    assert one.request.body == body


def test_a_header_that_says_for_whom_is_a_hole_and_any_other_is_none() -> None:
    parameters = [{"name": name, "in": "header", "example": "1"} for name in ("X-User-Id", "X-Request-Id", "Tenant-ID")]
    (one,) = requests({"/a": {"get": {"parameters": parameters}}})
    assert [tuple(hole.point) for hole in one.holes] == [("header", "X-USER-ID"), ("header", "TENANT-ID")]


def test_the_members_of_an_object_that_stand_in_the_query_are_holes() -> None:
    page = {"type": "object", "properties": {"size": {"type": "integer"}, "sort": {"type": "array"}}}
    (one,) = requests({"/a": {"get": {"parameters": [{"name": "page", "in": "query", "schema": page}]}}})
    assert one.request.target == b"/a?size=1&sort=id"
    assert [tuple(hole.point) for hole in one.holes] == [("get", "size"), ("get", "sort")]


def test_a_spare_request_has_only_what_the_document_calls_required() -> None:
    parameters = [
        {"name": "q", "in": "query", "required": True, "example": "tea"},
        {"name": "sort", "in": "query", "example": "price"},
    ]
    body = {"type": "object", "required": ["name"], "properties": {"name": {"example": "x"}, "note": {"example": "y"}}}
    content = {"content": {"application/json": {"schema": body}}}
    get, post = requests({"/a": {"get": {"parameters": parameters}, "post": {"requestBody": content}}})
    assert (get.request.target, get.spare.target) == (b"/a?q=tea&sort=price", b"/a?q=tea")
    assert (post.request.body, post.spare.body) == (b'{"name": "x", "note": "y"}', b'{"name": "x"}')


def test_what_is_needed_as_a_whole_has_no_spare_request() -> None:
    (one,) = requests({"/a/{a_id}": {"get": {"parameters": [{"name": "a_id", "in": "path", "required": True}]}}})
    assert one.spare is None


def test_an_operation_that_may_be_used_without_credentials_wants_those_that_it_takes() -> None:
    said = requests(
        {"/a": {"get": {"security": [{}, {"key": []}]}, "put": {"security": []}, "post": {}}}, security=[{"key": []}]
    )
    assert {one.request.method: one.wants for one in said} == {"GET": ("key",), "PUT": (), "POST": ("key",)}
    assert {one.request.method: bool(one.secured) for one in said} == {"GET": False, "PUT": False, "POST": True}
    assert {one.request.method: one.public for one in said} == {"GET": True, "PUT": True, "POST": False}


def test_what_says_of_all_operations_that_credentials_may_be_left_out_says_it_of_none() -> None:
    either = [{"key": []}, {}]
    alone = requests({"/a": {"get": {"security": either}, "put": {}, "post": {"security": []}}}, security=either)
    assert {one.request.method: one.public for one in alone} == {"GET": False, "PUT": False, "POST": True}
    beside = requests({"/a": {"get": {}, "put": {"security": [{"key": []}]}}}, security=either)
    assert {one.request.method: one.public for one in beside} == {"GET": True, "PUT": False}


def test_an_operation_is_public_where_the_document_says_so_or_asks_elsewhere_only() -> None:
    key = [{"key": []}]
    said = requests({"/a": {"get": {"security": [{}]}, "put": {"security": []}, "post": {}}}, security=key)
    assert {one.request.method: one.public for one in said} == {"GET": True, "PUT": True, "POST": False}
    elsewhere = requests({"/a": {"get": {}, "post": {"security": key}}})
    assert {one.request.method: one.public for one in elsewhere} == {"GET": True, "POST": False}
    (silent,) = requests({"/a": {"get": {}}})
    assert not silent.public


def test_an_old_version_of_what_asks_for_credentials_is_not_public() -> None:
    key = [{"key": []}]
    versions = {
        "/v1/notes/{id}": {"get": {}, "put": {}}, "/v2/notes/{note_id}": {"get": {"security": key}},
        "/v1/news": {"get": {}}, "/v3/news": {"put": {"security": key}}, "/v2/terms": {"get": {}},
    }  # fmt: skip
    public = {(one.request.method, one.request.path): one.public for one in requests(versions)}
    assert [at for at, free in public.items() if not free] == [
        ("GET", b"/v1/notes/1"), ("GET", b"/v2/notes/1"), ("PUT", b"/v3/news"),
    ]  # fmt: skip


def test_who_says_that_credentials_are_needed_the_operation_or_the_document() -> None:
    key = [{"key": []}]
    said = requests({"/a": {"get": {"security": key}, "put": {}, "post": {"security": []}}}, security=key)
    told = {"GET": SECURED_ITSELF, "PUT": SECURED_WITH_ALL, "POST": ""}
    assert {one.request.method: one.secured for one in said} == told


def test_a_parameter_that_is_none_costs_nothing() -> None:
    one, other = requests(
        {"/a": {"get": {"parameters": [{"in": "query"}, {"in": "header", "name": None}]}, "post": {"parameters": [3]}}}
    )
    assert (one.request.method, one.request.target, other.request.method) == ("GET", b"/a", "POST")


def test_what_belongs_into_another_version_of_documents_is_read_all_the_same() -> None:
    query = {"in": "query", "name": "seats", "type": "Integer", "maximum": 4}
    body = {"in": "body", "name": "body", "schema": {"type": "object", "properties": {"n": {"type": "int"}}}}
    (one,) = requests({"/a": {"post": {"parameters": [query, body]}}})
    assert (one.request.target, one.request.body) == (b"/a?seats=1", b'{"n": 1}')
    assert one.request.first(b"Content-Type") == b"application/json"


@pytest.mark.parametrize(
    ("example", "sent"), [('{"plan": "gold"}', b'{"plan": "gold"}'), ("{plan}", b'"{plan}"'), ("7", b'"7"')]
)
def test_json_that_stands_in_a_text_is_sent_as_json(example: str, sent: bytes) -> None:
    (one,) = requests({"/a": {"post": {"requestBody": {"content": {"application/json": {"example": example}}}}}})
    assert one.request.body == sent


def test_a_version_in_a_path_is_a_number() -> None:
    version = {"in": "path", "name": "version", "required": True, "schema": {"type": "string"}}
    (one,) = requests({"/api/v{version}/a": {"get": {"parameters": [version]}}})
    assert one.request.target == b"/api/v1/a"


def test_a_field_by_whose_name_another_path_asks_names_a_thing() -> None:
    def body(*names: str) -> Any:
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        return {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}

    asking: dict[str, Any] = {"/cars/{vin}/place": {}, "/books/{title}": {}, "/people/{login}": {}}
    paths = {"/checks": body("vin", "note"), "/books": body("title"), "/join": body("login", "password")}
    check, book, join = requests({**asking, **paths})
    assert [hole.name for hole in check.holes] == ["vin"]
    assert (book.holes, join.holes) == ((), ())


def test_a_query_by_whose_name_a_path_asks_names_a_thing() -> None:
    def asked(name: str) -> Any:
        return {"get": {"parameters": [{"in": "query", "name": name, "schema": {"type": "string"}}]}}

    paths = {"/stays/{stay}": {}, "/receipt": asked("stay"), "/stays": asked("stay"), "/wall": asked("colour")}
    receipt, stays, wall = requests(paths)
    assert [hole.loose for one in (receipt, stays, wall) for hole in one.holes] == [False, True, True]


@pytest.mark.parametrize(("path", "kept"), [("/setup", True), ("/setup/{table}", False)])
def test_what_says_that_it_empties_all_is_kept_where_no_value_names_less(path: str, kept: bool) -> None:
    (one,) = requests({path: {"get": {"summary": "Empties the tables and fills in the demo data"}}})
    assert one.kept is kept


def test_what_the_document_calls_the_application_is_kept_with_each_request() -> None:
    (one,) = requests({"/a": {"get": {}}}, info={"title": "Stitchbook API", "description": "For knitters"})
    assert one.called == ("Stitchbook API", "knitters")


@pytest.mark.parametrize(
    ("path", "operation", "names"),
    [
        ("/register", {}, {"username", "email", "password"}),
        ("/login", {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}}, {"username", "email", "password"}),
        ("/users", {"requestBody": {"content": {"application/json": {}}}}, {"username", "email", "password"}),
        ("/login", {"requestBody": {"content": {"application/json": {"example": {}}}}}, set()),
        ("/orders", {"requestBody": {"content": {"application/json": {}}}}, set()),
    ],
)  # fmt: skip
def test_a_login_and_a_registration_are_asked_by_name_address_and_password_where_nothing_is_said(
    path: str, operation: Any, names: set[str]
) -> None:
    (one,) = requests({path: {"post": operation}})
    assert json.loads(one.request.body).keys() == names


def test_what_lets_in_by_its_query_or_is_no_entrance_is_sent_without_a_body() -> None:
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("username", "password")]
    assert [one.request.body for one in requests({"/login": {"post": {"parameters": parameters}, "get": {}}})] == [
        b"",
        b"",
    ]
    assert [one.request.body for one in requests({"/orders": {"post": {}}})] == [b""]
