"""The one table."""

from django.db import models


class Token(models.Model):
    """A token by its digest."""

    digest = models.CharField(max_length=64, unique=True)
    client = models.CharField(max_length=64)
