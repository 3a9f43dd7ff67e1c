"""Scripts that Node evaluates in contexts of their own, out of the process's reach; and those of databases, which are queries."""

import shutil

from gatecrash.core.message import Response
from tests.range.code import NODE
from tests.range.place import QUERY, Given, answer, flaw, twin

READ = (QUERY,)
DOCUMENT = "{price: 3, name: 'tea'}"


def evaluated(code: str) -> str:
    told = NODE(f"delete globalThis.process; {code}")
    if "Error" in told:
        raise ValueError(told)
    return told


if shutil.which("node"):

    @flaw("rce", value="4", ways=READ)
    def factor(given: Given) -> Response:
        return answer({"result": evaluated(f"2 * {given.q}")})

    @flaw("rce", value="click", ways=READ)
    def handed_over(given: Given) -> Response:
        """Nothing of it is shown."""
        evaluated(f"(event => 0)('{given.q}')")
        return answer({"ok": True})

    @twin("rce", value="4", ways=READ, also=("nosqli",))
    def of_a_document(given: Given) -> Response:
        """What a store evaluates for each document is a query."""
        found = evaluated(f"(function () {{ return this.price * {given.q} }}).call({DOCUMENT})")
        return answer({"result": found})

    @twin("rce", value="click", ways=READ, also=("nosqli",))
    def of_a_database(given: Given) -> Response:
        """So is what knows the database's own types."""
        evaluated(f"globalThis.NumberLong = Number; (event => 0)('{given.q}')")
        return answer({"ok": True})

    @twin("rce", value="4", ways=READ)
    def read_first(given: Given) -> Response:
        return answer({"result": evaluated(f"2 * {float(given.q)}")})
