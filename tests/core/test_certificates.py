"""Why a certificate was refused: which of the three it is decides what helps."""

import pytest

from gatecrash.core import certificates


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("Hostname mismatch, certificate is not valid for 'localhost'.", certificates.OTHER_NAME),
        ("IP address mismatch, certificate is not valid for '127.0.0.1'.", certificates.OTHER_NAME),
        ("certificate has expired", certificates.OUT_OF_DATE),
        ("certificate is not yet valid", certificates.OUT_OF_DATE),
        ("self-signed certificate", certificates.UNTRUSTED),
        ("unable to get local issuer certificate", certificates.UNTRUSTED),
        ("", certificates.UNTRUSTED),
    ],
)
def test_the_kind_is_read_from_what_openssl_says(told: str, kind: str) -> None:
    assert certificates.kind_of_refusal(told) == kind


def test_only_an_unknown_authority_is_helped_by_naming_it() -> None:
    helped = [kind for kind in certificates.WHAT if "SSL_CERT_FILE" in certificates.explained(kind)]
    assert helped == [certificates.UNTRUSTED]


def test_a_second_way_out_follows_the_first() -> None:
    assert certificates.refused("certificate has expired", ", or look away").endswith("renewed, or look away")
