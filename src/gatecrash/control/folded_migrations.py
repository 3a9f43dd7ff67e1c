"""Migrations of an app folded into one, for a new database: one by one they take most of a first start.

A database to which some of them were applied goes on with those that it lacks, for they also move what it holds.
"""

from collections.abc import Sequence
from importlib import import_module

from django.db.migrations.operations import AddIndex, RunPython
from django.db.migrations.operations.base import Operation
from django.db.migrations.optimizer import MigrationOptimizer


def folded(app: str, names: Sequence[str]) -> list[Operation]:
    """What they do to the models, each model made at once as it is in the end. What they run by code is left out."""
    package = f"gatecrash.control.{app}.migrations"
    every = [one for name in names for one in import_module(f"{package}.{name}").Migration.operations]
    steps = [one for one in every if not isinstance(one, RunPython)]
    order = {model: place for place, model in reversed(list(enumerate(map(_model, steps))))}
    steps.sort(key=lambda one: (order[_model(one)], isinstance(one, AddIndex)))
    return MigrationOptimizer().optimize(steps, app)


def _model(step: Operation) -> str:
    return str(getattr(step, "model_name", "") or getattr(step, "name", "")).lower()
