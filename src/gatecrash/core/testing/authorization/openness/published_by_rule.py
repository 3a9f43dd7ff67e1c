"""What a standard has servers publish for whoever does not know them yet: metadata at well-known addresses (RFC 8615),
sets of public keys (RFC 7517), whatever their fields are called (`token_endpoint`), and who takes part in a sign-in across sites
(OASIS SAML 2.0 Metadata, section 4.1), at an address of its own choice.
"""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves

_KEY = re.compile(r"keys|kty|use|alg|kid|n|e|crv|x|y|x5c|x5t(?:#S256)?|x5u|key_ops|exp|nbf|iat")
# The outermost element of a document, behind what declares it.
_OUTERMOST = re.compile(r"<(?![?!])(?:[\w-]+:)?+([\w-]+)")
_TAKING_PART, _OF_SAML = ("EntityDescriptor", "EntitiesDescriptor"), "urn:oasis:names:tc:SAML:2.0:metadata"
_BEGINNING = 4096


def is_published_by_rule(path: str, good: Response) -> bool:
    """Whether it stands at a well-known address, holds nothing but public keys, or is metadata of SAML."""
    if "/.well-known/" in path or _is_of_a_sign_in(text_of(good)[:_BEGINNING]):
        return True
    names = {leaf.path[-1] for leaf in leaves(good) if leaf.path} if "key" in path or "jwk" in path else set()
    return "kty" in names and all(map(_KEY.fullmatch, names))


def _is_of_a_sign_in(beginning: str) -> bool:
    outermost = _OUTERMOST.search(beginning) if _OF_SAML in beginning else None
    return outermost is not None and outermost[1] in _TAKING_PART
