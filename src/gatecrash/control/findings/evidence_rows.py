"""The bulk table of evidence, sealed for its client and vulnerability: the one place that reads and writes it."""

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
    client_id = wall.required()
    rows = bulk_sql.select(
        "SELECT evidence FROM findings_evidence WHERE client_id = %s AND vulnerability_id = %s",
        (client_id, vulnerability_id),
    )
    if not rows:
        return None
    return _decoder.decode(vault.unseal(rows[0][0], client_id=client_id, row=vulnerability_id))
