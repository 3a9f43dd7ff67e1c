"""Links of a page tell what things are called now, by their rows."""

from gatecrash.core.message import Request, Response
from gatecrash.node.scan.captures.links_told import fields_anew, links_of, names_anew, names_at, names_told

LIST = Request("GET", b"/orders", host="yard.example")


def page(*rows: str) -> Response:
    body = "<nav><a href=/>Home</a></nav><table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    return Response(200, ((b"Content-Type", b"text/html"),), body.encode())


def row(number: int, said: str, address: str = "/orders/") -> str:
    return f"<td>Order {number}</td><td>{said}</td><td><a href='{address}{number}'>Show</a></td>"


def test_a_link_says_what_its_row_says_without_the_identifier() -> None:
    [link] = links_of(LIST, page(row(7, "beans &amp; peas")))
    assert (link.name, link.said) == ((("orders",), "7"), "Order beans &amp; peas Show")
    assert not list(links_of(LIST, Response(200, (), page(row(7, "beans")).body))), "no page"


def test_where_a_row_has_links_to_several_things_each_says_its_own() -> None:
    told = page("<td>Ann's <a href=/orders/7>beans</a> and <a href=/orders/8>peas</a>")
    assert [link.said for link in links_of(LIST, told)] == ["beans", "peas"]


def test_a_query_names_a_thing_and_another_host_none() -> None:
    told = page("<a href='/order.php?id=7&page=2'>a</a>", "<a href='https://other.example/orders/9'>b</a>")
    assert names_told(LIST, told) == {(("order.php", "?id"), "7")}
    assert list(names_at(Request("GET", b"/orders/7?id=8&q=9"))) == [(("orders",), "7"), (("orders", "7", "?id"), "8")]


def test_the_row_that_says_the_same_has_the_new_name() -> None:
    told, now = page(row(7, "beans"), row(8, "peas")), page(row(18, "peas"), row(17, "beans"), row(19, "leeks"))
    assert dict(names_anew(LIST, told, now)) == {(("orders",), "7"): "17", (("orders",), "8"): "18"}
    assert dict(names_anew(LIST, told, now, {"7"})) == {(("orders",), "8"): "18"}


def test_rows_that_say_nothing_alike_are_no_pair() -> None:
    told, now = page(row(7, "beans"), row(8, "peas")), page(row(17, "leeks"), row(18, "kale"), row(19, "chard"))
    assert not list(names_anew(LIST, told, now))
    assert not list(names_anew(LIST, told, page(row(7, "beans", "/goods/"), row(8, "peas", "/goods/"))))


def test_the_same_names_are_no_new_ones() -> None:
    told = page(row(7, "beans"), row(8, "peas"))
    assert not list(names_anew(LIST, told, told))


def renamed(request: Request) -> dict[str, str]:
    new = {(("orders",), "7"): "17", (("order.php", "?id"), "7"): "17", (("a.php", "?order_no"), "7"): "17"}
    return {point[-1]: value for point, value in fields_anew(request, new)}


def test_fields_that_are_called_as_the_thing_name_it() -> None:
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    json = ((b"Content-Type", b"application/json"),)
    body = b"order_id=7&amount=7&goods_id=7&id=7&order_no=7"
    assert renamed(Request("POST", b"/pay", form, body)) == {"order_id": "17", "order_no": "17"}
    assert renamed(Request("POST", b"/pay", json, b'{"orderId": 7, "count": 7}')) == {"orderId": "17"}
    assert renamed(Request("GET", b"/order.php?id=7&n=7")) == {"id": "17"}
    assert renamed(Request("GET", b"/goods.php?id=7")) == {}
    assert renamed(Request("POST", b"/pay", form, b"order_id=8")) == {}
