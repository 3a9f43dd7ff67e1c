"""Steps are lines where nobody looks."""

import pytest

from gatecrash.cli.steps import Steps


def test_a_step_is_a_line_on_standard_error_and_its_bytes_are_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Steps() as steps:
        told = steps.step("Packing", 100)
        told(50)
        steps.step("Checking", None)(0)
    assert capsys.readouterr() == ("", "Packing …\nChecking …\n")
