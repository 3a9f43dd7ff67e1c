"""The bulk table of evidence, sealed for its client and vulnerability: the one place that reads and writes it."""

from collections.abc import Sequence

import msgspec

from gatecrash.control import bulk_sql, vault, wall
from gatecrash.wire.work import Evidence

CREATE = (
    """
    CREATE TABLE findings_evidence (
        client_id varchar(64) NOT NULL,
        vulnerability_id varchar(64) NOT NULL,
        evidence {bytes} NOT NULL,
        PRIMARY KEY (client_id, vulnerability_id)
    )
    """,
)

_decoder = msgspec.msgpack.Decoder(Evidence)


def store(vulnerability_id: str, evidence: Evidence) -> None:
    """Keep what proves a vulnerability."""
    client_id = wall.required()
    sealed = vault.seal(msgspec.msgpack.encode(evidence), client_id=client_id, row=vulnerability_id)
    bulk_sql.execute(
        "INSERT INTO findings_evidence (client_id, vulnerability_id, evidence) VALUES (%s, %s, %s)",
        (client_id, vulnerability_id, sealed),
    )


def read(vulnerability_id: str) -> Evidence | None:
    """What proves a vulnerability; None where nothing was kept."""
    return read_all([vulnerability_id]).get(vulnerability_id)


def read_all(vulnerability_ids: Sequence[str]) -> dict[str, Evidence]:
    """What proves each of these vulnerabilities; those of which nothing was kept are left out."""
    client_id = wall.required()
    rows = bulk_sql.select_in(
        "SELECT vulnerability_id, evidence FROM findings_evidence WHERE client_id = %s AND vulnerability_id IN ({})",
        [client_id],
        vulnerability_ids,
    )
    return {name: _decoder.decode(vault.unseal(sealed, client_id=client_id, row=name)) for name, sealed in rows}
