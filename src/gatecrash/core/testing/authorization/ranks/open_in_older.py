"""Functions that an older version of the interface (`/v1/incidents` of `/v2/incidents`) still gives to whom the newer one refuses."""

from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_now
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.payloads.auth_bypass import older_versions
from gatecrash.core.testing.probe import Answer, TestRequest

_NOBODY = ""
_LEAST_FACTS = 2


class Open(NamedTuple):
    """What the lower identity was answered there, and what says that it should not have been."""

    exchange: Exchange
    evidence: str


def open_in_older(access: Access, lower: Identity, refused: Exchange) -> Generator[TestRequest, Answer, Open | None]:
    """The older version in which the lower identity reads, twice, nearly all that the higher one is told now and nobody is without
    credentials; None where there is none. refused: what it was answered to the request itself, which must be refused to it still.
    """
    # A session that one version does not know says nothing of ranks.
    if response_of(refused).status == UNAUTHORIZED:
        return None
    path, mark, query = access.request.target.partition(b"?")
    for spell in older_versions(path).values():
        older = msgspec.structs.replace(access.request, target=spell(path) + mark + query)
        seen = yield from ask_as(older, lower.name)
        if not access.near(seen):
            continue
        now = Access(access.situation, (yield from sample_now(access.situation)))
        told = only_told(now.readings, response_of((yield from ask_as(older, _NOBODY, "control"))))
        if len(told) < _LEAST_FACTS or not has_nearly_all(response_of(seen), told):
            continue
        elsewhere = yield from ask_as(nowhere(older, access.situation), lower.name, "control")
        still = yield from ask_as(access.request, lower.name, "control")
        again = yield from ask_as(older, lower.name, "confirm")
        if has_nearly_all(response_of(elsewhere), told) or not has_nearly_all(response_of(again), told):
            continue
        if now.refuses(still):
            return Open(
                again, f"The newer version, {path.decode('latin-1')}, refuses the same identity, before and after."
            )
    return None
