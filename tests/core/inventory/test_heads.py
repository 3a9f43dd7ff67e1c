"""The headers that folding asks for, in one pass."""

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory import heads as head
from gatecrash.core.inventory.heads import follows, read_heads
from gatecrash.core.message import Request

names = st.sampled_from(
    [b"User-Agent", b"user-agent", b"COOKIE", b"cookie", b"Content-Type", b"X-Other", b"SOAPAction"]
)


@given(st.lists(st.tuples(names, st.binary(max_size=5))).map(tuple))
def test_each_is_the_first_of_its_name_whatever_the_case(headers):
    heads, request = read_heads(headers), Request("GET", b"/", headers)
    assert heads[head.AGENT] == request.first(b"User-Agent")
    assert heads[head.COOKIE] == request.first(b"Cookie")
    assert heads[head.CONTENT_TYPE] == request.first(b"Content-Type")
    assert heads[head.SOAP_ACTION] == request.first(b"SOAPAction")
    assert heads[head.AUTHORIZATION] is None


def test_spellings_without_end_are_still_read():
    for number in range(5000):
        read_heads(((b"X-%d" % number, b""),))
    assert read_heads(((b"uSER-aGENT", b"curl"),))[head.AGENT] == b"curl"


def test_what_folding_asks_for_is_followed_in_any_spelling() -> None:
    assert all(map(follows, (b"USER-AGENT", b"Cookie", b"soapaction", b"X-Forwarded-Proto")))
    assert not follows(b"ACCEPT")
