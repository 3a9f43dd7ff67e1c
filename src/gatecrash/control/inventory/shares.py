"""Which requests make an endpoint's shares, as SQL: the one place where the client's setting enters (decisions 6).

The expressions and `core.auth.coverage` agree; a test compares them over the boundaries.
"""

from dataclasses import dataclass

from gatecrash.control.inventory.models import InventorySettings


@dataclass(frozen=True, slots=True)
class Shares:
    """SQL over an endpoint's row. requests, authenticated: what the shares are made of. status: `mapping.STATUSES`."""

    leave_refused_out: bool
    requests: str
    authenticated: str

    @property
    def status(self) -> str:
        """The number of the status. Integers only: 95% is exact."""
        return (
            f"CASE WHEN {self.requests} <= 0 THEN 0 WHEN {self.authenticated} <= 0 THEN 1"
            f" WHEN ({self.authenticated}) * 100 >= ({self.requests}) * 95 THEN 3 ELSE 2 END"
        )

    @property
    def coverage(self) -> str:
        """The share in millionths, rounded down; -1 without requests. For ordering."""
        return f"CASE WHEN {self.requests} <= 0 THEN -1 ELSE ({self.authenticated}) * 1000000 / ({self.requests}) END"

    def of(self, requests: int, authenticated: int, refused: int, authenticated_refused: int) -> tuple[int, int]:
        """The same in numbers: requests and authenticated requests in the shares."""
        if self.leave_refused_out:
            return requests - refused, authenticated - authenticated_refused
        return requests, authenticated


ALL = Shares(False, "requests", "authenticated")
ANSWERED = Shares(True, "requests - refused", "authenticated - authenticated_refused")


def current() -> Shares:
    """As the current client has set it."""
    left_out = InventorySettings.objects.values_list("leave_refused_out", flat=True).first()
    return ANSWERED if left_out else ALL
