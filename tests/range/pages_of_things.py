"""Pages about one of many things, of which the record shows another one than what was written about."""

import html
import json
from collections import defaultdict
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, posted, text, twin

MOST_KEPT = 400
REMARKS: defaultdict[tuple[str, str], list[str]] = defaultdict(list)


def remarking(path: str) -> Request:
    return posted(f"{path}/4/remarks", b'{"remark": "tea"}', b"application/json")


def of_another(path: str) -> Request:
    return Request("GET", f"{path}/1/sheet".encode())


def kept(given: Given, shown: Callable[[list[str]], Response]) -> Response:
    """The sheet of a bed, or a remark about it that is kept."""
    *_, place, bed, last = given.request.path.decode("latin-1").split("/")
    remarks = REMARKS[place, bed]
    if given.request.method == "GET":
        return shown(remarks) if last == "sheet" else answer({"error": "no such page"}, 404)
    told = json.loads(given.request.body)["remark"]
    if not isinstance(told, str) or not told:
        return answer({"error": "remark: a text"}, 400)
    remarks.append(told)
    del remarks[:-MOST_KEPT]
    return answer({"bed": 4, "remark": len(remarks)}, 201)


@flaw("xss", request=remarking, beside=(of_another,))
def beds(given: Given) -> Response:
    return kept(given, lambda told: page("".join(f"<p>{each}</p>" for each in told)))


@twin("xss", request=remarking, beside=(of_another,))
def beds_escaped(given: Given) -> Response:
    return kept(given, lambda told: page("".join(f"<p>{html.escape(each)}</p>" for each in told)))


@twin("xss", request=remarking, beside=(of_another,))
def beds_as_text(given: Given) -> Response:
    return kept(given, lambda told: text("\n".join(told)))


@twin("xss", request=remarking, beside=(of_another,))
def beds_counted(given: Given) -> Response:
    return kept(given, lambda told: page(f"<p>{len(told)} remarks</p>"))
