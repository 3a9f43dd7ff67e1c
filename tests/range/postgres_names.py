"""Statements on a real PostgreSQL that hold names of their own and arrays, in which no expression may stand."""

from gatecrash.core.message import Response
from tests.postgres import binaries
from tests.range.place import QUERY, Given, answer, flaw, twin
from tests.range.postgres_store import rows

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
