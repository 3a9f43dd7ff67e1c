"""Negotiate: Kerberos or another mechanism, agreed on with SPNEGO.

What it finds
    `Authorization: Negotiate <base64>`, and `Kerberos <base64>`, which some clients write. NTLM inside is reported as
    NTLM.

Why it matters
    It is the single sign-on of company networks: no password is typed, the user's ticket answers. Where NTLM comes
    instead, a fallback is at work that can be relayed.

How it decides
    The value is base64 of an initial token, tagged APPLICATION 0, of SPNEGO or Kerberos 5 (both its object identifiers),
    or of SPNEGO's answer token, and nothing follows it. Its end may be missing: tickets fill kilobytes, and logs cut
    such values short. Tickets are not opened.

Known misses
    Mechanisms other than Kerberos sent without SPNEGO around them. Tickets that a client sends in another header.

Standards and references
    RFC 4559 section 4 (Negotiate over HTTP); RFC 4178 section 4.2 (SPNEGO tokens); RFC 2743 section 3.1 (the initial
    token); RFC 4121 section 4.1 (Kerberos); [MS-NLMP] section 2.2.1 for what is NTLM.
"""

from gatecrash.core.auth.base64_text import decoded
from gatecrash.core.auth.ntlm_message import NEGOTIATE, find_message, is_proof, message_type
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Scheme

_APPLICATION_0, _CONTEXT_1, _SEQUENCE = 0x60, 0xA1, 0x30
_MECHANISMS = (
    bytes.fromhex("06062b0601050502"),  # SPNEGO, 1.3.6.1.5.5.2
    bytes.fromhex("06092a864886f712010202"),  # Kerberos 5, 1.2.840.113554.1.2.2
    bytes.fromhex("06092a864882f712010202"),  # Kerberos 5 as Windows 2000 wrote it, 1.2.840.48018.1.2.2
)


def judge(candidate: Candidate) -> Judgement:
    """Negotiate, or NTLM where that is what was agreed on."""
    # A value that was cut may end within a group of four.
    value = candidate.value
    token = decoded(value) or decoded(value[: len(value) // 4 * 4]) or b""
    message = find_message(token)
    if message is not None:
        kind = Kind.LEG if message_type(message) == NEGOTIATE else Kind.PROOF
        return Judgement(AuthType.NTLM, is_proof(message), kind)
    return Judgement(AuthType.NEGOTIATE, is_token(token))


def is_token(token: bytes) -> bool:
    """Whether the bytes are an initial token of a known mechanism or an answer token of SPNEGO."""
    content = _content(token, _APPLICATION_0)
    if content is not None:
        mechanism = next((one for one in _MECHANISMS if content.startswith(one)), b"")
        return bool(mechanism) and len(content) > len(mechanism)
    answer = _content(token, _CONTEXT_1)
    return answer is not None and bool(_content(answer, _SEQUENCE))


def _content(token: bytes, tag: int) -> bytes | None:
    """What a DER element of the tag holds (X.690 section 8.1.3), its end perhaps cut off; None for anything else."""
    if len(token) < 2 or token[0] != tag:
        return None
    length, start = token[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(token[2:start], "big")
    return token[start:] if len(token) - start <= length else None


SCHEME: Scheme = Scheme(type=AuthType.NEGOTIATE, judge=judge, words=("negotiate", "kerberos"))
