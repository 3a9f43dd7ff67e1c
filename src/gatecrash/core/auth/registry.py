"""The schemes, in the order in which they are asked: adding one is its file, its line here, its case file, the changelog."""

from gatecrash.core.auth.scheme import Scheme
from gatecrash.core.auth.schemes import (
    api_key,
    aws_sigv4,
    basic,
    bearer,
    cookie,
    digest,
    hawk,
    hmac,
    negotiate,
    ntlm,
    scram,
)

# API key comes last: of what nobody else takes in Authorization it takes every opaque value.
REGISTRY: tuple[Scheme, ...] = (
    basic.SCHEME,
    bearer.SCHEME,
    aws_sigv4.SCHEME,
    digest.SCHEME,
    hawk.SCHEME,
    hmac.SCHEME,
    negotiate.SCHEME,
    ntlm.SCHEME,
    scram.SCHEME,
    cookie.SCHEME,
    api_key.SCHEME,
)
