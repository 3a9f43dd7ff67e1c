"""The base of every model whose rows belong to a client, and the one manager they share."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.signals import class_prepared

from gatecrash.control import row_read, wall


class TenantQuerySet(models.QuerySet):
    """A queryset that is narrowed to the current client and cannot be used to leave it."""

    def update(self, **values: Any) -> int:
        """Change rows; the client of a row never changes."""
        if {"client", "client_id"} & values.keys():
            raise wall.TenantWallError("a row cannot be moved to another client")
        return super().update(**values)

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Insert rows of the current client only."""
        rows = list(objs)
        for row in rows:
            row.take_client()
        return super().bulk_create(rows, *args, **kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete in one statement that keeps the client in its condition.

        Django's collector deletes by primary key alone, which the wall refuses; what hangs on a row is deleted by its
        service first, and the database's foreign keys refuse to leave orphans.
        """
        self._not_support_combined_queries("delete")
        count = self._chain()._raw_delete(self.db)  # noqa: SLF001 - the only delete that keeps the condition
        return count, {self.model._meta.label: count}  # noqa: SLF001 - Django documents _meta


class TenantManager(models.Manager.from_queryset(TenantQuerySet)):  # type: ignore[misc]
    """The default and base manager of tenant models: a query outside a context raises TenantWallError."""

    def get_queryset(self) -> TenantQuerySet:
        """The current client's rows; every row in a system context."""
        client_id = wall.current()
        rows = super().get_queryset()
        return rows if client_id is None else rows.filter(client_id=client_id)

    def find(self, key: object) -> Any:
        """The current client's row of this primary key, or None; for one row several times faster than a queryset.

        In a system context it is an ordinary query.
        """
        client_id = wall.current()
        if client_id is None:
            return self.filter(pk=key).first()
        return row_read.read(super().get_queryset(), client_id, key)


class TenantModel(models.Model):
    """A row that belongs to one client."""

    client_id: str
    client = models.ForeignKey("accounts.Client", on_delete=models.DO_NOTHING, related_name="+", db_index=False)

    objects = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"

    def take_client(self) -> None:
        """Fill in the current client, or raise TenantWallError where the row is another's."""
        if not self.client_id:
            self.client_id = wall.required()
        wall.check(self.client_id)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row, of the current client only."""
        self.take_client()
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> tuple[int, dict[str, int]]:
        """Delete the row, of the current client only."""
        self.take_client()
        return type(self).objects.filter(pk=self.pk).delete()


def _put_behind_wall(sender: type[models.Model], **_: object) -> None:
    """Register the table of every concrete tenant model as soon as its class exists."""
    meta = sender._meta  # noqa: SLF001 - Django documents _meta
    if issubclass(sender, TenantModel) and not meta.abstract:
        wall.register(meta.db_table)


class_prepared.connect(_put_behind_wall, dispatch_uid="gatecrash.wall")
