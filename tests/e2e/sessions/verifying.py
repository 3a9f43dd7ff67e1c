"""Guards that verify signatures strictly, each written from its scheme's text and sharing no line with what signs."""

import base64
import calendar
import hashlib
import hmac
import re
import secrets
import time
from urllib.parse import parse_qsl, quote, unquote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from tests.e2e.sessions.guarded_shop import Asked, Guard, Said

SKEW = 60.0
_PAIR = re.compile(r'(\w+)="?([^",]*)"?')


class OneTimeNonces:
    """Takes each nonce once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def fresh(self, nonce: str) -> bool:
        """Whether it is new; from now on it is not."""
        fresh = bool(nonce) and nonce not in self._seen
        self._seen.add(nonce)
        return fresh


class AwsGuard(Guard):
    """Signature v4 with one key; the body's hash, the date and the host must be signed."""

    def __init__(self, key: str) -> None:
        self.key = key

    def lets_in(self, asked: Asked) -> bool:
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=AKID/(\d{8})/eu-west-1/execute-api/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})",
            asked.headers.get("authorization", ""),
        )
        stamp = asked.headers.get("x-amz-date", "")
        digest = hashlib.sha256(asked.body).hexdigest()
        if found is None or asked.headers.get("x-amz-content-sha256") != digest or not stamp.startswith(found[1]):
            return False
        names = found[2].split(";")
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names):
            return False
        pairs = parse_qsl(
            asked.target.partition("?")[2].replace("+", "%2B"), keep_blank_values=True, encoding="latin-1"
        )
        query = "&".join(sorted(f"{_rfc3986(name)}={_rfc3986(value)}" for name, value in pairs))
        path = quote(quote(unquote(asked.path, "latin-1").encode("latin-1"), safe="/~"), safe="/~")
        headers = "".join(f"{name}:{' '.join(asked.headers.get(name, '').split())}\n" for name in names)
        canonical = f"{asked.method}\n{path}\n{query}\n{headers}\n{found[2]}\n{digest}"
        scope = f"{found[1]}/eu-west-1/execute-api/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode('latin-1')).hexdigest()}"
        key = ("AWS4" + self.key).encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        age = abs(time.time() - _seconds(stamp))
        return age < SKEW and hmac.compare_digest(hmac.digest(key, text.encode(), "sha256").hex(), found[3])


class HawkGuard(Guard):
    """Hawk with body hashes; a nonce serves once."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.nonces = OneTimeNonces()

    def lets_in(self, asked: Asked) -> bool:
        scheme, _, rest = asked.headers.get("authorization", "").partition(" ")
        given = dict(_PAIR.findall(rest))
        if scheme != "Hawk" or given.get("id") != "client" or abs(time.time() - float(given.get("ts", 0))) > SKEW:
            return False
        kind = asked.headers.get("content-type", "").split(";")[0]
        body = b"hawk.1.payload\n" + kind.encode() + b"\n" + asked.body + b"\n"
        if given.get("hash") != base64.b64encode(hashlib.sha256(body).digest()).decode():
            return False
        host, _, port = asked.headers["host"].partition(":")
        lines = [
            "hawk.1.header", given["ts"], given["nonce"], asked.method, asked.target, host, port, given["hash"], "", "",
        ]  # fmt: skip
        mac = hmac.digest(self.key.encode(), "\n".join(lines).encode("latin-1"), "sha256")
        return base64.b64encode(mac).decode() == given.get("mac") and self.nonces.fresh(given["nonce"])


class MessageGuard(Guard):
    """RFC 9421 with Ed25519: method, authority, path, query and the body's digest must be covered."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self.key = key
        self.nonces = OneTimeNonces()

    def lets_in(self, asked: Asked) -> bool:
        label, _, params = asked.headers.get("signature-input", "").partition("=")
        found = re.fullmatch(r'\(([^)]*)\);created=(\d+);nonce="([^"]+)";keyid="client"', params)
        value = re.fullmatch(rf"{label}=:(.*):", asked.headers.get("signature", ""))
        if found is None or value is None or abs(time.time() - int(found[2])) > SKEW:
            return False
        names = re.findall(r'"([^"]+)"', found[1])
        needed = {"@method", "@authority", "@path", "@query"} | ({"content-digest"} if asked.body else set())
        digest = base64.b64encode(hashlib.sha256(asked.body).digest()).decode()
        if not needed <= set(names) or (asked.body and asked.headers.get("content-digest") != f"sha-256=:{digest}:"):
            return False
        path, _, query = asked.target.partition("?")
        derived = {
            "@method": asked.method, "@authority": asked.headers["host"], "@path": path, "@query": f"?{query}",
        }  # fmt: skip
        lines = [f'"{name}": {derived[name] if name in derived else asked.headers[name]}' for name in names]
        base = "\n".join([*lines, f'"@signature-params": {params}']).encode("latin-1")
        try:
            self.key.verify(base64.b64decode(value[1]), base)
        except (InvalidSignature, ValueError):
            return False
        return self.nonces.fresh(found[3])


class HmacGuard(Guard):
    """A service's own: method, target, time, nonce and the body's hash, joined by line ends."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.nonces = OneTimeNonces()

    def lets_in(self, asked: Asked) -> bool:
        stamp, nonce = asked.headers.get("x-time", "0"), asked.headers.get("x-nonce", "")
        text = f"{asked.method}\n{asked.target}\n{stamp}\n{nonce}\n{hashlib.sha256(asked.body).hexdigest()}"
        mac = hmac.digest(self.key.encode(), text.encode("latin-1"), "sha256").hex()
        good = hmac.compare_digest(asked.headers.get("x-signature", ""), f"v1={mac}")
        return good and stamp.isdigit() and abs(time.time() - int(stamp)) < SKEW and self.nonces.fresh(nonce)


class DigestGuard(Guard):
    """RFC 7616 with SHA-256; counts must rise, and a nonce is good for some requests only."""

    USES = 8

    def __init__(self, password: str) -> None:
        self.password = password
        self.counts: dict[str, int] = {}

    def refuses(self, asked: Asked) -> Said:
        nonce = secrets.token_hex(12)
        self.counts[nonce] = 0
        stale = ", stale=true" if "authorization" in asked.headers else ""
        challenge = f'Digest realm="shop", nonce="{nonce}", qop="auth", algorithm=SHA-256{stale}'
        return Said(401, '{"error": "unauthorized"}', {"WWW-Authenticate": challenge})

    def lets_in(self, asked: Asked) -> bool:
        given = dict(_PAIR.findall(asked.headers.get("authorization", "").removeprefix("Digest ")))
        nonce, count = given.get("nonce", ""), int(given.get("nc", "0"), 16)
        if given.get("uri") != asked.target or not self.counts.get(nonce, self.USES) < count <= self.USES:
            return False
        first = _sha(f"alice:shop:{self.password}")
        second = _sha(f"{asked.method}:{asked.target}")
        middle = f"{nonce}:{given.get('nc')}:{given.get('cnonce')}:auth"
        if given.get("response") != _sha(f"{first}:{middle}:{second}"):
            return False
        self.counts[nonce] = count
        return True


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("latin-1")).hexdigest()


def _rfc3986(text: str) -> str:
    return quote(text.encode("latin-1"), safe="~")


def _seconds(stamp: str) -> float:
    return calendar.timegm(time.strptime(stamp, "%Y%m%dT%H%M%SZ")) if re.fullmatch(r"\d{8}T\d{6}Z", stamp) else 0.0
