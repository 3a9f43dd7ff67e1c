"""A baseline's trial in parts: what is put off is kept with what its dialogues know, until its turn comes."""

from collections.abc import Callable

import msgspec

from gatecrash.core.testing.derive import forecast
from gatecrash.core.testing.pacing.parts import Todo
from gatecrash.core.testing.pacing.passes import MOST_WAITING, pass_of
from gatecrash.node.test.trial import Trial
from gatecrash.wire.work import Result


class PutOff:
    """The trials of a run of which something waits, some of the latest. What is not among them is derived anew."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._trials: dict[str, Trial] = {}

    def keep(self, trial: Trial) -> bool:
        """Keep one, where there is room; whether there was."""
        if len(self._trials) < MOST_WAITING:
            self._trials[trial.baseline.id] = trial
        return trial.baseline.id in self._trials

    def take(self, name: str, todo: Todo) -> Trial | None:
        """The trial that goes on with this; None where none is kept, or where other tests come first."""
        trial = self._trials.pop(name, None)
        if trial is None or todo.belated or todo.made != passes_made(trial):
            return None
        trial.todo = todo
        return trial


def passes_made(trial: Trial) -> int:
    """How many passes are made of it: those before the first of what is put off."""
    return min(map(pass_of, trial.put_off))


async def made(trial: Trial, tell: Callable[[Result], None]) -> Result:
    """Drives what its Todo says; final where nothing is left. Where it showed nothing, as no test was decided, the rest is
    made at once.
    """
    later = trial.todo.puts_off
    result = await (trial.resume(tell, later) if trial.put_off else trial.run(tell, later))
    if not trial.put_off:
        return result
    if result.status == "error":
        return await trial.resume(tell)
    trial.told()
    left = max(1, forecast(trial.put_off))
    return msgspec.structs.replace(result, final=False, left=left, made=passes_made(trial))
