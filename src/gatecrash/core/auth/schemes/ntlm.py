"""NTLM over HTTP: a challenge and an answer that authenticate the connection they travel on.

What it finds
    `Authorization: NTLM <base64>`; the same message inside Negotiate is NTLM too.

Why it matters
    The answer can be relayed to another server and cracked at leisure; Microsoft has deprecated the protocol. Because
    the connection is authenticated and not the request, a proxy that shares connections lets strangers in.

How it decides
    Only an authenticate message (type 3) is valid, with a user's name and a response that lie within the message. The
    greeting (type 1) is a leg of the handshake: recognised, not valid. After an accepted proof the later requests of
    its connection count too, where the source shows connections.

Known misses
    The response is not verified. Sources without answers or connections count the greeting as a request and see the
    later requests of the connection as bare.

Standards and references
    [MS-NTHT] section 2.2 (the NTLM header fields); [MS-NLMP] sections 2.2.1.1 and 2.2.1.3 (the messages).
"""

from gatecrash.core.auth.base64_text import decoded
from gatecrash.core.auth.ntlm_message import NEGOTIATE, SIGNATURE, is_proof, message_type
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Scheme


def judge(candidate: Candidate) -> Judgement:
    """NTLM: a proof, a leg, or something that is neither."""
    message = decoded(candidate.value) or b""
    # Outside SPNEGO the message begins at once.
    if not message.startswith(SIGNATURE):
        return Judgement(AuthType.NTLM, False)
    kind = Kind.LEG if message_type(message) == NEGOTIATE else Kind.PROOF
    return Judgement(AuthType.NTLM, is_proof(message), kind)


SCHEME: Scheme = Scheme(type=AuthType.NTLM, judge=judge, words=("ntlm",))
