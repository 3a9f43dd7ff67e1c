"""What an API's own description says of the credentials that an operation needs."""

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.testing.surroundings import section_of


class Declared(msgspec.Struct, frozen=True):
    """That credentials are needed. itself: the operation says so itself; else the document says it of all its operations.

    refused: what reads, needs the same credentials by the description and was refused without any, the nearest first.
    """

    itself: bool
    refused: tuple[Request, ...] = ()

    def refuses_beside(self, path: bytes) -> bool:
        """Whether one of the refused stands in the same section as a path: `/loans/7` and `/loans`."""
        section = section_of(path)
        return bool(section) and any(section_of(other.path) == section for other in self.refused)
