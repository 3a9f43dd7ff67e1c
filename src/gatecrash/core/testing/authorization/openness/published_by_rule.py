"""What a standard has servers publish for whoever does not know them yet: metadata at well-known addresses (RFC 8615) and
sets of public keys (RFC 7517), whatever their fields are called (`token_endpoint`).
"""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.leaves import leaves

_KEY = re.compile(r"keys|kty|use|alg|kid|n|e|crv|x|y|x5c|x5t(?:#S256)?|x5u|key_ops|exp|nbf|iat")


def is_published_by_rule(path: str, good: Response) -> bool:
    """Whether it stands at a well-known address, or holds nothing but public keys."""
    if "/.well-known/" in path:
        return True
    names = {leaf.path[-1] for leaf in leaves(good) if leaf.path} if "key" in path or "jwk" in path else set()
    return "kty" in names and all(map(_KEY.fullmatch, names))
