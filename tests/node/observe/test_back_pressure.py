"""Reading is stopped and taken up again, and never asked of a connection that is gone."""

import asyncio

import pytest

from gatecrash.node.observe.back_pressure import set_reading


class Connection(asyncio.Transport):
    def __init__(self, *, closing: bool = False) -> None:
        super().__init__()
        self.closing = closing
        self.told: list[str] = []

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")


def test_an_open_connection_is_told() -> None:
    connection = Connection()
    set_reading(connection, on=False)
    set_reading(connection, on=True)
    assert connection.told == ["pause", "resume"]


@pytest.mark.parametrize("on", [True, False])
def test_one_that_closes_or_is_not_there_is_left_alone(on: bool) -> None:
    closing = Connection(closing=True)
    set_reading(closing, on=on)
    set_reading(None, on=on)
    assert closing.told == []
