"""GraphQL messages with files in them, as forms."""

import json

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read as value_at
from gatecrash.formats.descriptions.graphql_files import A_FILE, in_form, written
from gatecrash.formats.draft import Hole

QUERY = "mutation Keep($files: [Upload!]!, $of: Album!) { keep(files: $files, of: $of) }"


def sent(variables: dict[str, object]) -> Request:
    form = written({"query": QUERY, "variables": variables})
    assert form is not None
    headers = ((b"Content-Type", form.content_type.encode()),)
    return Request(method="POST", target=b"/graphql", headers=headers, body=form.data)


def test_each_file_is_a_part_and_null_stands_where_it_goes() -> None:
    request = sent({"files": [A_FILE], "of": {"cover": A_FILE, "title": "Sea"}})
    parts = {
        name: value_at(request, Point.parse(["post", "multipart", name])) for name in ("operations", "map", "0", "1")
    }
    assert json.loads(parts["operations"] or b"")["variables"] == {
        "files": [None],
        "of": {"cover": None, "title": "Sea"},
    }
    assert json.loads(parts["map"] or b"") == {"0": ["variables.files.0"], "1": ["variables.of.cover"]}
    assert parts["0"] == parts["1"] == b"example\n"


def test_what_has_no_file_is_no_form() -> None:
    assert written({"query": QUERY, "variables": {"files": [], "of": {"cover": None}}}) is None


def test_a_hole_is_in_the_part_of_the_operations() -> None:
    request = sent({"files": [A_FILE], "of": {"title": "Sea"}})
    above = Point.parse(["post", "json_doc", "json_obj", "variables", "json_obj", "of", "json_obj", "title"])
    hole = in_form(Hole("title", above, loose=True))
    assert (hole.name, hole.loose, value_at(request, hole.point)) == ("title", True, b"Sea")
