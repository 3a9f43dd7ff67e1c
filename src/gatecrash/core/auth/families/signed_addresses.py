"""Parameters of a query in which one signature lets whoever has the address in, as storages and networks of caches make them.

beside: what must stand in the query as well. form: `digest`; `fields`, a digest behind `hmac=` among what it signs, with
tildes between; `dashes`, a moment and a digest with anything between.
"""

from typing import NamedTuple


class SignedAddress(NamedTuple):
    """One parameter, as it is written."""

    name: str
    beside: tuple[str, ...]
    form: str
    source: str


_TOKENS = "Akamai, edge authorization tokens"

ADDRESSES: tuple[SignedAddress, ...] = (
    SignedAddress("q-signature", ("q-ak", "q-sign-time"), "digest", "Tencent Cloud COS, request signature"),
    SignedAddress("x-oss-signature", ("x-oss-credential", "x-oss-date"), "digest", "Alibaba Cloud OSS, V4 signatures"),
    SignedAddress("md5", ("expires",), "digest", "nginx, ngx_http_secure_link_module"),
    SignedAddress(
        "auth_signature", ("auth_key", "auth_timestamp"), "digest", "Pusher Channels HTTP API, authentication"
    ),
    SignedAddress("auth_key", (), "dashes", "Alibaba Cloud CDN, URL signing type A"),
    SignedAddress("hdnts", (), "fields", _TOKENS),
    SignedAddress("hdnea", (), "fields", _TOKENS),
    SignedAddress("hdntl", (), "fields", _TOKENS),
    SignedAddress("__token__", (), "fields", _TOKENS),
)
