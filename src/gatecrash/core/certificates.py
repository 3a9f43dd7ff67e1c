"""Why the certificate of a server was refused, by what OpenSSL said of it: each kind has its own way out.

A certificate for another name, or one that has expired, is refused whoever signed it: to name its authority helps with neither.
"""

from typing import Final

UNTRUSTED: Final = "untrusted"
OTHER_NAME: Final = "other_name"
OUT_OF_DATE: Final = "out_of_date"

# What OpenSSL says (x509_txt.c), beside what Python writes around it.
_SAID: Final = {
    "mismatch": OTHER_NAME,
    "has expired": OUT_OF_DATE,
    "not yet valid": OUT_OF_DATE,
}
WHAT: Final = {
    UNTRUSTED: "certificate is not trusted",
    OTHER_NAME: "certificate is for another name",
    OUT_OF_DATE: "certificate has expired or is not valid yet",
}
WAY_OUT: Final = {
    UNTRUSTED: "name its authority in SSL_CERT_FILE",
    OTHER_NAME: "use an address that it names",
    OUT_OF_DATE: "have it renewed",
}


def kind_of_refusal(told: str) -> str:
    """Which of the three it is, by the text of the error."""
    return next((kind for words, kind in _SAID.items() if words in told), UNTRUSTED)


def refused(told: str, otherwise: str = "") -> str:
    """The certificate's fault and the way out, to be read behind "its" or "the target's". otherwise: a second way out."""
    return explained(kind_of_refusal(told), otherwise)


def explained(kind: str, otherwise: str = "") -> str:
    """As `refused`, for a kind that is known."""
    return f"{WHAT[kind]}; {WAY_OUT[kind]}{otherwise}"
