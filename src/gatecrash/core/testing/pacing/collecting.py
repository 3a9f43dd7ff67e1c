"""The collect phase: of baselines that agree, the first is tested and the others are left."""

from collections.abc import Iterable

from gatecrash.core.testing.derive import Check


def collect(checks: Iterable[Check], seen: set[tuple[str, ...]]) -> list[Check]:
    """One baseline's checks without those of extensions that had a baseline like it. seen: the run's memory, which grows."""
    kept: list[Check] = []
    admitted: dict[str, bool] = {}
    for check in checks:
        probe = check.probe
        if probe.name and probe.name not in admitted:
            agreed = probe.collected(check.baseline.request)
            key = (probe.name, *(agreed or ()))  # what one probe has asked of an endpoint, another has not
            admitted[probe.name] = agreed is None or key not in seen
            if agreed is not None:
                seen.add(key)
        if admitted.get(probe.name, True):
            kept.append(check)
    return kept
