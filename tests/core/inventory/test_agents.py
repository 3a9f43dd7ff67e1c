"""Families of clients: a fixed vocabulary, whatever a client writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.agents import FAMILIES, NONE, family_of

_CHROME = b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "family"),
    [
        (_CHROME, "chrome"),
        (_CHROME + b" Edg/130.0.0.0", "edge"),
        (_CHROME + b" OPR/115.0.0.0", "opera"),
        (_CHROME.replace(b"Chrome/", b"HeadlessChrome/"), "headless"),
        (b"Mozilla/5.0 (Windows NT 10.0; rv:132.0) Gecko/20100101 Firefox/132.0", "firefox"),
        (b"Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15", "safari"),
        (b"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"),
        (_CHROME + b" (compatible; bingbot/2.0)", "bot"),
        (b"curl/8.5.0", "curl"),
        (b"Wget/1.21", "wget"),
        (b"python-requests/2.32.3", "python-requests"),
        (b"python-httpx/0.27.0", "python"),
        (b"okhttp/4.12.0", "okhttp"),
        (b"Go-http-client/2.0", "go"),
        (b"grpc-go/1.60.0", "grpc"),
        (b"axios/1.7.2", "node"),
        (b"Java/17.0.1", "java"),
        (b"PostmanRuntime/7.39.0", "postman"),
        (b"kube-probe/1.29", "kubernetes"),
        (b"Dalvik/2.1.0 (Linux; U; Android 14)", "android"),
        (b"TeaShop/3 CFNetwork/1490.0.4 Darwin/23.2.0", "ios"),
        (b"teashop/1.0", "other"),
        (b"", NONE),
        (b"   ", NONE),
        (None, NONE),
    ],
)
def test_each_kind_of_client_has_its_family(agent, family):
    assert family_of(agent) == family
    assert family in FAMILIES


@given(st.binary(max_size=600))
def test_whatever_a_client_writes_only_our_words_come_out(agent):
    assert family_of(agent) in FAMILIES
    assert family_of(agent) == family_of(agent)
