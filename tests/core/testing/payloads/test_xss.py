"""The payloads of xss: in each context that a marker can be in, one of them runs there when nothing is escaped."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.reflection import places, runs
from gatecrash.core.testing.payloads.xss import payloads_for

PAGES = [
    "<p>@</p>",
    "<i title='@'>",
    '<i title="@">',
    "<i title=@>",
    "<a href='@'>",
    "<script src='@'></script>",
    "<b onclick=\"f('@')\">",
    "<!-- @ -->",
    "<title>@</title>",
    *(f"<script>{code}</script>" for code in ("x='@'", 'x="@"', "x=`@`", "x=@", "// @", "/* @ */", "x=/@/")),
]


@pytest.mark.parametrize("page", PAGES)
def test_unescaped_it_runs(page):
    def shown(text: str) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), page.replace("@", text).encode())

    (place,) = places(shown("teaqxzk"), "qxzk")
    assert any(runs(shown(each.format(value="tea", call="qxzk()", mark="bcd")), "qxzk") for each in payloads_for(place))
