"""Statements on a real PostgreSQL that hold names of their own, arrays, types and paths, in which no expression may stand."""

from gatecrash.core.message import Response
from tests.postgres import binaries
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, twin
from tests.range.postgres_store import rows

# What PostgreSQL makes of `md5('tea')::uuid`.
TEA = "7239ea2b-5dc9-43f6-1f3c-0a0276c20974"

if binaries():

    @flaw("sqli", value="worth", name="sort", ways=(QUERY,), slow=True)
    def sorted_by_its_own_name(given: Given) -> Response:
        sort = given.values["sort"]
        return answer(rows(f"SELECT kind, sum(price) AS worth FROM items GROUP BY kind ORDER BY {sort}, kind"))

    @flaw("sqli", value="Worth", name="sort", ways=(QUERY,), slow=True)
    def sorted_by_its_own_name_in_quotes(given: Given) -> Response:
        sort = given.values["sort"]
        return answer(rows(f'SELECT kind, sum(price) AS "Worth" FROM items GROUP BY kind ORDER BY "{sort}", kind'))

    @twin("sqli", value="worth", name="sort", ways=(QUERY,), slow=True)
    def sorted_by_a_list(given: Given) -> Response:
        names = [{"worth": "worth", "kind": "kind"}[name] for name in str(given.values["sort"]).split(",")]
        return answer(rows(f"SELECT kind, sum(price) AS worth FROM items GROUP BY kind ORDER BY {','.join(names)}"))

    @twin("sqli", value="worth", name="sort", ways=(QUERY,), slow=True)
    def sorted_by_the_last_that_is_known(given: Given) -> Response:
        """Takes any other name for none."""
        known = [name for name in str(given.values["sort"]).split(",") if name in ("worth", "kind")]
        return answer(rows(f"SELECT kind, sum(price) AS worth FROM items GROUP BY kind ORDER BY {known[-1]}"))

    @flaw("sqli", value="1,3", name="ids", ways=(QUERY,), slow=True)
    def any_of_several(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE id = ANY('{{{given.values['ids']}}}') ORDER BY id"))

    @flaw("sqli", value="tea", name="names", ways=(QUERY,), slow=True)
    def any_of_names(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE name = ANY('{{{given.values['names']}}}') ORDER BY id"))

    @twin("sqli", value="1,3", name="ids", ways=(QUERY,), slow=True)
    def any_of_several_bound(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE id = ANY(%s) ORDER BY id", f"{{{given.values['ids']}}}"))

    @flaw("sqli", value="name", ways=(QUERY,), slow=True)
    def shown_under_another_name(given: Given) -> Response:
        return answer(rows(f'SELECT "{given.q}" AS label FROM items ORDER BY id'))

    @twin("sqli", value="name", ways=(QUERY,), slow=True)
    def shown_of_a_list(given: Given) -> Response:
        return answer(rows(f'SELECT "{ {"name": "name", "kind": "kind"}[given.q] }" AS label FROM items ORDER BY id'))

    @flaw("sqli", value=TEA, ways=(QUERY,), slow=True)
    def of_a_type(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE md5(name)::uuid = '{given.q}'::uuid"))

    @twin("sqli", value=TEA, ways=(QUERY,), slow=True)
    def of_a_type_bound(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE md5(name)::uuid = %s::uuid", given.q))

    @flaw("sqli", ways=(QUERY,), slow=True)
    def in_a_path_of_json(given: Given) -> Response:
        return answer(rows(f"SELECT id FROM items WHERE jsonb_build_object('n', name) @? '$.n ? (@ == \"{given.q}\")'"))

    @twin("sqli", ways=(QUERY,), slow=True)
    def in_a_path_of_json_bound(given: Given) -> Response:
        path = f'$.n ? (@ == "{given.q}")'
        return answer(rows("SELECT id FROM items WHERE jsonb_build_object('n', name) @? %s::jsonpath", path))

    @flaw("sqli", value="3", ways=(FORM, JSON), slow=True)
    def number_in_quotes(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE id = '{given.q}'"))

    @flaw("sqli", value=TEA, ways=(FORM,), slow=True)
    def identifier_in_quotes(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE md5(name)::uuid = '{given.q}'"))

    @twin("sqli", value="3", ways=(FORM, JSON), slow=True)
    def number_bound(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE id = %s::int", str(given.q)))

    @twin("sqli", value=TEA, ways=(FORM,), slow=True)
    def identifier_bound(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE md5(name)::uuid = %s::uuid", given.q))
