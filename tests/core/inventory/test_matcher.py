"""Decided templates win where they match, the most literal first, in bounded time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.matcher import TemplateMatcher


def documented(*templates: str, host: str = "", base: str = "", method: str = "GET") -> DocumentPaths:
    return DocumentPaths(host, base, tuple((method, template) for template in templates))


def test_the_more_literal_template_wins():
    matcher = TemplateMatcher(documents=[documented("/teas/{id}", "/teas/mine", "/teas/{id}.pdf", "/{all}/mine")])
    assert matcher.match("GET", "h", b"/teas/mine") == "/teas/mine"
    assert matcher.match("GET", "h", b"/teas/7") == "/teas/{id}"
    assert matcher.match("GET", "h", b"/teas/7.pdf") == "/teas/{id}.pdf"
    assert matcher.match("GET", "h", b"/cups/mine") == "/{all}/mine"
    assert matcher.match("GET", "h", b"/cups/7") is None
    assert matcher.match("GET", "h", b"/teas") is None
    assert matcher.match("GET", "h", b"/teas/") is None


def test_pins_come_before_documents_and_a_named_host_before_every_host():
    matcher = TemplateMatcher(
        [HostTemplate("h", "/teas/{pinned}")],
        [documented("/teas/{a}", "/cups/{a}"), documented("/cups/{b}", host="h")],
    )
    assert matcher.match("GET", "h", b"/teas/7") == "/teas/{pinned}"
    assert matcher.match("GET", "other", b"/teas/7") == "/teas/{a}"
    assert matcher.match("GET", "h", b"/cups/7") == "/cups/{b}"


def test_the_base_path_stands_before_the_template():
    matcher = TemplateMatcher(documents=[documented("/teas/{id}", "/", base="/v1")])
    assert matcher.match("GET", "h", b"/v1/teas/7") == "/v1/teas/{id}"
    assert matcher.match("GET", "h", b"/v1/") == "/v1/"
    assert matcher.match("GET", "h", b"/teas/7") is None


def test_a_method_that_the_document_does_not_know_is_at_the_same_path():
    matcher = TemplateMatcher(documents=[documented("/teas/{id}")])
    assert matcher.match("DELETE", "h", b"/teas/7") == "/teas/{id}"


def test_escapes_are_undone_before_comparing():
    matcher = TemplateMatcher(documents=[documented("/green tea/{id}")])
    assert matcher.match("GET", "h", b"/green%20tea/7") == "/green tea/{id}"


@pytest.mark.parametrize(
    ("template", "path", "fits"),
    [
        ("/{a}-{b}", b"/x-y", True),
        ("/{a}-{b}", b"/x-", False),
        ("/{a}-{b}", b"/-y", False),
        ("/{a}-{b}", b"/xy", False),
        ("/v{major}.{minor}", b"/v1.2", True),
        ("/v{major}.{minor}", b"/1.2", False),
        ("/{a}", b"/", False),
        ("/{}", b"/{}", True),
        ("/{open", b"/{open", True),
    ],
)
def test_parameters_within_a_segment(template, path, fits):
    assert (TemplateMatcher([HostTemplate("", template)]).match("GET", "h", path) == template) is fits


def test_matrix_parameters_are_left_off_where_no_template_has_them():
    matcher = TemplateMatcher(documents=[documented("/cars/{id}", "/map{point}")])
    assert matcher.match("GET", "h", b"/cars;color=red/7;x=1") == "/cars/{id}"
    assert matcher.match("GET", "h", b"/map;lat=50") == "/map{point}"
    assert matcher.match("GET", "h", b"/cups;color=red") is None


def test_nothing_decided_is_nothing_to_ask():
    assert not TemplateMatcher()
    assert TemplateMatcher().match("GET", "h", b"/") is None


def test_a_document_that_branches_everywhere_ends():
    shapes = ["/".join(["{a}" if number >> bit & 1 else "x" for bit in range(12)]) for number in range(4096)]
    matcher = TemplateMatcher(documents=[documented(*(f"/{shape}/end" for shape in shapes))])
    assert matcher.match("GET", "h", b"/" + b"x/" * 12 + b"other") is None
    assert matcher.match("GET", "h", b"/" + b"x/" * 12 + b"end") == "/" + "x/" * 12 + "end"


segments = st.text(st.sampled_from("ab{}-"), max_size=6)


@given(st.lists(segments, min_size=1, max_size=4), st.lists(st.binary(max_size=5), max_size=5))
def test_any_template_and_any_path_are_taken(template, path):
    matcher = TemplateMatcher([HostTemplate("", "/" + "/".join(template))])
    assert matcher.match("GET", "h", b"/" + b"/".join(path)) in (None, "/" + "/".join(template))


@given(st.lists(st.sampled_from(["teas", "cups", "{id}"]), min_size=1, max_size=5))
def test_a_filled_in_template_is_found(template):
    path = "/" + "/".join("7" if segment == "{id}" else segment for segment in template)
    assert TemplateMatcher([HostTemplate("", "/" + "/".join(template))]).match("GET", "h", path.encode())
