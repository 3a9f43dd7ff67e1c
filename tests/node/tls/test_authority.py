"""The node's CA: one a node, its key for nobody else, its certificates good for the host they name."""

import datetime as dt
import stat
from pathlib import Path

import pytest
from cryptography import x509

from gatecrash.core.errors import UserError
from gatecrash.node.tls.authority import MAX_CONTEXTS, CertificateAuthority


def test_the_ca_stays_the_same_and_its_key_is_private(tmp_path: Path) -> None:
    first = CertificateAuthority.open(tmp_path / "state")
    assert CertificateAuthority.open(tmp_path / "state").pem == first.pem == first.path.read_bytes()
    assert stat.S_IMODE((tmp_path / "state" / "ca.key").stat().st_mode) == 0o600
    certificate = x509.load_pem_x509_certificate(first.pem)
    assert certificate.not_valid_after_utc - dt.datetime.now(dt.UTC) <= dt.timedelta(days=365)
    assert certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize("host", ["api.example.com", "127.0.0.1", "::1", "a." * 100 + "example"])
def test_a_certificate_names_its_host_and_is_signed_by_the_ca(host: str, tmp_path: Path) -> None:
    authority = CertificateAuthority.open(tmp_path)
    certificate = authority.certificate_for(host)
    certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(authority.pem))
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == [host]
    assert authority.context(host, ("http/1.1",)) is authority.context(host, ("http/1.1",))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["ca.key", "ca.pem"]


def test_contexts_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatecrash.node.tls.authority.MAX_CONTEXTS", 2)
    authority = CertificateAuthority.open(tmp_path)
    kept = authority.context("a", ())
    for host in ("b", "a", "c"):
        authority.context(host, ())
    assert authority.context("a", ()) is kept
    assert MAX_CONTEXTS > 2


def test_files_that_are_no_ca_are_told_with_a_way_out(tmp_path: Path) -> None:
    for name in ("ca.pem", "ca.key"):
        (tmp_path / name).write_text("x")
    with pytest.raises(UserError, match="to have a new one made"):
        CertificateAuthority.open(tmp_path)
