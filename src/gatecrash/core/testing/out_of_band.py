"""Out-of-band: addresses of our own listener that stand in payloads, and what it means when a target asks for them.

    oob = situation.oob                       None where no listener can be reached by the target
    lure = oob.lure(1, verdict, dns_threat=30)
    answer = yield TestRequest(request, lures=(lure,))
    hit = strongest(lure, answer.hits)        None: nothing came yet; what comes later is judged by the lure itself

A name is a keyed digest of the test (run, baseline, point, probe, number of the payload), so that it tells nothing, cannot
be guessed, is the same again when a test is begun anew after a restart, and no hit is taken for another test's.
Only such names leave: no value of the target is ever part of what a payload makes it ask for, but for a product of two
numbers that the payload brings along.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.testing.selection.hosts import is_loopback_name
from gatecrash.core.testing.verdict import Proof, Verdict

HTTP, DNS, LDAP = "http", "dns", "ldap"
# 120 bits: long enough that none is met by chance, short enough for one label of a name (RFC 1035 section 2.3.4).
_NAME_BYTES = 15
NAME_LENGTH = 24
_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz234567")
_HTTP_PORT = 80
_LONGEST_ASKED = 200
_HOW = {
    HTTP: "fetched from our listener",
    DNS: "looked up at our name server",
    LDAP: "looked for at our listener, as in a directory (LDAP),",
}


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where targets reach a listener. host, port: of its side that speaks HTTP and LDAP. zone: names below it are
    answered by its DNS side.
    """

    host: str
    port: int
    zone: str = ""

    def reaches(self, target: str) -> bool:
        """Whether a target at this host could reach it: a loopback address is one only for the same machine."""
        return bool(self.zone) or not is_loopback_name(self.host) or is_loopback_name(target)


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asked for a name. protocol: `http`, `dns` or `ldap`. asked: what stood beside the name. at: UNIX seconds.

    source: the address that asked; of a DNS hit that of a resolver.
    """

    name: str
    protocol: str
    asked: str = ""
    source: str = ""
    at: float = 0.0


class Lure(msgspec.Struct, frozen=True, kw_only=True):
    """An address in a test request, and the verdict where it is asked for; its proof is added then.

    dns_threat: the verdict's threat where only the name was looked up. computed: what must stand beside the name, so that
    a hit shows more than that somebody fetched what he read.
    """

    number: int
    name: str
    verdict: Verdict
    dns_threat: int
    computed: str = ""


class OutOfBand(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of one dialogue. key: the run's. test: what the names are digests of, number apart."""

    listening: Listening
    key: bytes
    test: tuple[str, ...]

    def name(self, number: int) -> str:
        """The name of the dialogue's payload of this number."""
        told = msgspec.json.encode((*self.test, number))
        digest = hmac.digest(self.key, b"gatecrash out-of-band " + told, "sha256")
        return base64.b32encode(digest[:_NAME_BYTES]).decode("ascii").lower()

    def host(self, number: int) -> str:
        """The name as a host of the zone; "" without one."""
        return f"{self.name(number)}.{self.listening.zone}" if self.listening.zone else ""

    def url(self, number: int) -> str:
        """An http address with the name; below the DNS zone where there is one, so that looking it up is noticed already."""
        port = "" if self.listening.port == _HTTP_PORT else f":{self.listening.port}"
        return f"http://{self._written(number)}{port}/{self.name(number)}"

    def ldap_url(self, number: int) -> str:
        """The same for a directory's client, which asks the same port for an object of this name."""
        return f"ldap://{self._written(number)}:{self.listening.port}/{self.name(number)}"

    def _written(self, number: int) -> str:
        host = self.host(number) or self.listening.host
        return f"[{host}]" if ":" in host else host

    def lure(self, number: int, verdict: Verdict, *, dns_threat: int, computed: str = "") -> Lure:
        """What is told to whoever sends a payload with this number."""
        return Lure(number=number, name=self.name(number), verdict=verdict, dns_threat=dns_threat, computed=computed)


def addresses(listening: Listening, key: bytes, run_id: str, baseline_id: str, point: Point, type_: str) -> OutOfBand:
    """The addresses of one probe at one point of one baseline of a run."""
    return OutOfBand(listening=listening, key=key, test=(run_id, baseline_id, *point, type_))


def name_in_path(target: str) -> tuple[str, str] | None:
    """The name at the beginning of a request's path, and the rest behind it; None where no name stands there."""
    name, _, rest = target.removeprefix("/").partition("/")
    name = name.partition("?")[0].lower()
    return (name, rest[:_LONGEST_ASKED]) if _is_name(name) else None


def name_in_host(host: str, zone: str) -> tuple[str, str] | None:
    """The name right before the zone, and what stands before it; None where no name stands there."""
    # Resolvers mix the case of letters to make forgery hard, so case means nothing here.
    host, zone = host.lower().rstrip("."), zone.lower()
    if not zone or not host.endswith("." + zone):
        return None
    rest, _, name = host.removesuffix("." + zone).rpartition(".")
    return (name, rest[:_LONGEST_ASKED]) if _is_name(name) else None


def content_at(name: str) -> str:
    """What the listener answers for a name: a text that the request does not hold, so that it shows who was fetched."""
    return hashlib.sha256(b"gatecrash content at " + name.encode()).hexdigest()[:32]


def strongest(lure: Lure, hits: Iterable[Hit]) -> Hit | None:
    """The hit that proves most: a fetch before a look-up; None where there is none, or what was to be computed is not."""
    meant = [hit for hit in hits if hit.name == lure.name and _is_meant(lure, hit)]
    return next((hit for hit in meant if came(hit)), meant[0] if meant else None)


def came(hit: Hit) -> bool:
    """Whether somebody came to the listener itself, and did not only look a name up."""
    return hit.protocol != DNS


def proven(
    lure: Lure, hit: Hit, exchange: Exchange, *, more: str = "", late: float | None = None, threat: int | None = None
) -> Verdict:
    """The verdict of a hit. more: what else was seen. late: so many seconds after the request, when the check was over.

    threat: where more than the callback was seen. A look-up alone never counts as a fetch.
    """
    known: Verdict = lure.verdict
    fetched = came(hit)
    return msgspec.structs.replace(
        known,
        threat=(threat or known.threat) if fetched else lure.dns_threat,
        detail=known.detail if fetched else f"{known.detail}; only the name was looked up".removeprefix("; "),
        proof=Proof(test=exchange, verified_by=_told(lure, hit, more, late)),
    )


def _is_meant(lure: Lure, hit: Hit) -> bool:
    return lure.computed in hit.asked.replace("/", ".").split(".") if lure.computed else True


def _told(lure: Lure, hit: Hit, more: str, late: float | None) -> str:
    how = _HOW[hit.protocol]
    by = f" by {hit.source}" if hit.source else ""
    computed = (
        f" with {lure.computed} beside it, which was computed and is nowhere in the request" if lure.computed else ""
    )
    told = f"The address {lure.name}, which stood in this request alone, was {how}{by}{computed}."
    if hit.protocol == DNS:
        told += " Nothing was fetched: something behind the target, its resolver for one, knows the name."
    if late is not None:
        told += f" Late: it came {late:.0f} s after the request, when the check was over."
    return f"{told} {more}".strip()


def _is_name(text: str) -> bool:
    return len(text) == NAME_LENGTH and _ALPHABET.issuperset(text)
