"""Single sign-on by OpenID Connect, from the environment or a file of secrets.

Reads no database and no Django: the settings are made of it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROVIDER = "sso"
ISSUER = "GATECRASH_OIDC_ISSUER"


def providers(environment: Mapping[str, str]) -> dict[str, Any]:
    """Allauth's settings of the one provider; empty where no issuer is named.

    Users are never made by it: an administrator adds an address, and whoever proves it may sign in.
    """
    issuer = environment.get(ISSUER)
    if not issuer:
        return {}
    return {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,  # RFC 7636: a code that leaks is worth nothing
            "APPS": [
                {
                    "provider_id": PROVIDER,
                    "name": environment.get("GATECRASH_OIDC_NAME") or "single sign-on",
                    "client_id": environment.get("GATECRASH_OIDC_CLIENT_ID") or "",
                    "secret": _secret(environment),
                    "settings": {"server_url": issuer},
                }
            ],
        }
    }


def _secret(environment: Mapping[str, str]) -> str:
    path = environment.get("GATECRASH_OIDC_CLIENT_SECRET_FILE")
    return (
        Path(path).read_text(encoding="utf-8").strip() if path else environment.get("GATECRASH_OIDC_CLIENT_SECRET", "")
    )
