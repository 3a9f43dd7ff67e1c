"""An OpenID Connect provider on loopback: codes, proof keys, signed identity tokens, and one signed-in person."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, SECRET = "gatecrash", "a secret of the client"
_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Provider:
    """Where it is, and who is signed in there. codes: of authorizations that wait for their exchange."""

    address: str = ""
    email: str = "ada@example.com"
    is_verified: bool = True
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)

    def claims(self) -> dict[str, Any]:
        """What it knows of the person."""
        return {"sub": f"subject of {self.email}", "email": self.email, "email_verified": self.is_verified}

    def authorize(self, query: dict[str, str]) -> str:
        """The person agrees: the address to go back to (OpenID Connect Core 3.1.2)."""
        assert query["client_id"] == CLIENT_ID
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256", "RFC 7636 is asked for"
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def exchange(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """A code for tokens, once, to who holds secret and proof key."""
        asked = self.codes.pop(form.get("code", ""), None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if asked is None or form.get("client_secret") != SECRET or form.get("redirect_uri") != asked["redirect_uri"]:
            return self._refuse("invalid_grant")
        if proof.rstrip(b"=").decode() != asked["code_challenge"]:
            return self._refuse("invalid_proof")
        now = int(time.time())
        identity = self.claims() | {"iss": self.address, "aud": CLIENT_ID, "iat": now, "exp": now + 60}
        token = jwt.encode(identity, _KEY, algorithm="RS256", headers={"kid": "only"})
        return 200, {"access_token": "granted", "token_type": "Bearer", "expires_in": 60, "id_token": token}

    def _refuse(self, why: str) -> tuple[int, dict[str, Any]]:
        self.refusals.append(why)
        return 400, {"error": why}

    def document(self) -> dict[str, Any]:
        """What discovery tells."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }


@contextmanager
def provider() -> Iterator[Provider]:
    """A running one."""
    here = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                self._answer(200, here.document())
            elif self.path == "/userinfo" and self.headers.get("Authorization") == "Bearer granted":
                self._answer(200, here.claims())
            else:
                self._answer(404, {})

        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self._answer(*here.exchange({name: values[0] for name, values in form.items()}))

        def _answer(self, status: int, document: dict[str, Any]) -> None:
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        here.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield here
        finally:
            server.shutdown()
            thread.join()


def queried(address: str) -> dict[str, str]:
    """The query of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
