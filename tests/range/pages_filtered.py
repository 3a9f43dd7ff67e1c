"""Pages behind filters that know one spelling, one element or one level of quotes, and pages whose filters know all of them."""

import html
import json
import re

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, flaw, page, twin

ELEMENT = re.compile(r"</?([a-z]+)[^>]*(?:>|$)", re.IGNORECASE)


@flaw("xss", ways=(QUERY,))
def handler_in_json(given: Given) -> Response:
    """The quotes of the script are escaped, those of the attribute are not; and it is an `onclick` already."""
    return page(f"<a onclick='go({json.dumps(given.q)})'>on</a>".replace("</", "<\\/"))


@twin("xss", ways=(QUERY,))
def handler_in_json_escaped(given: Given) -> Response:
    return page(f"<a onclick='go({html.escape(json.dumps(given.q))})'>on</a>")


@flaw("xss", ways=(QUERY,))
def end_of_a_textarea_taken_out(given: Given) -> Response:
    return page(f"<textarea>{given.q.replace('</textarea>', '')}</textarea>")


@twin("xss", ways=(QUERY,))
def ends_in_a_textarea_taken_out(given: Given) -> Response:
    return page(f"<textarea>{given.q.replace('<', '')}</textarea>")


@flaw("xss", ways=(QUERY,))
def end_of_a_script_taken_out(given: Given) -> Response:
    known = re.sub(r"[\"'\\\n]", "", given.q).replace("</script>", "")
    return page(f"<script>var q = '{known}';</script>")


@twin("xss", ways=(QUERY,))
def ends_in_a_script_taken_out(given: Given) -> Response:
    known = re.sub(r"[\"'\\\n<]", "", given.q)
    return page(f"<script>var q = '{known}';</script>")


@flaw("xss", ways=(QUERY,))
def end_of_a_comment_taken_out(given: Given) -> Response:
    return page(f"<!-- {given.q.replace('-->', '')} -->")


@twin("xss", ways=(QUERY,))
def ends_in_a_comment_taken_out(given: Given) -> Response:
    return page(f"<!-- {given.q.replace('>', '')} -->")


@flaw("xss", ways=(QUERY,))
def bold_left(given: Given) -> Response:
    return page(f"<p>{ELEMENT.sub(lambda found: found[0] if found[1].lower() == 'b' else '', given.q)}</p>")


@twin("xss", ways=(QUERY,))
def bold_left_alone(given: Given) -> Response:
    """Without what stands in it."""
    return page(f"<p>{ELEMENT.sub(lambda found: '<b>' if found[1].lower() == 'b' else '', given.q)}</p>")
