"""The app of findings: the vulnerabilities that runs found, their codes and their evidence."""

from django.apps import AppConfig

from gatecrash.control import wall

EVIDENCE = "findings_evidence"


class FindingsConfig(AppConfig):
    """Vulnerabilities; the evidence is a bulk table of its own."""

    name = "gatecrash.control.findings"
    label = "findings"

    def ready(self) -> None:
        """Put the bulk table behind the wall."""
        wall.register(EVIDENCE)
