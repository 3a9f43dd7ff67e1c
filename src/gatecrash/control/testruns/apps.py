"""The app of test runs: records of baselines, runs over them, and what the nodes are told to do."""

from collections.abc import Collection

from django.apps import AppConfig

from gatecrash.control import wall

BASELINES = "testruns_baseline"
CHECKS = "testruns_check"
UNDECIDED = "testruns_undecided"


class TestRunsConfig(AppConfig):
    """Test records and runs; baselines, checks and what they left undecided are bulk tables."""

    __test__ = False  # pytest would take the name for a test class

    name = "gatecrash.control.testruns"
    label = "testruns"

    def ready(self) -> None:
        """Put the bulk tables behind the wall; let profiles and nodes know what needs them."""
        from gatecrash.control.nodes import usage as nodes
        from gatecrash.control.profiles import usage as profiles

        wall.register(BASELINES, CHECKS, UNDECIDED)
        profiles.register(_runs_signing_in_by)
        profiles.register(_records_read_as)
        nodes.register(_waiting_for)


def _runs_signing_in_by(profile_id: str) -> list[str]:
    # Imported when asked for: the engine comes along, and most commands of an installation never need it.
    from gatecrash.control.testruns import queries

    return queries.signing_in_by(profile_id)


def _records_read_as(profile_id: str) -> list[str]:
    from gatecrash.control.testruns import queries

    return queries.reading_as(profile_id)


def _waiting_for(node_ids: Collection[str]) -> dict[str, list[str]]:
    from gatecrash.control.testruns import queries

    return queries.waiting_for(node_ids)
