"""Sentences about a run's record that its reader must know."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0010_answered")]
    operations = [
        migrations.AddField(model_name="testrun", name="notes", field=models.JSONField(default=list)),
    ]
