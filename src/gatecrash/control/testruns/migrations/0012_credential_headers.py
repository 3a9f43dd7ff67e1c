"""Headers of an application's own that let the senders of a run's record in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0011_notes")]
    operations = [
        migrations.AddField(model_name="testrun", name="credential_headers", field=models.JSONField(default=list)),
    ]
