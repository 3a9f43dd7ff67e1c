"""The address that a record is made from, where nobody records it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0016_turns")]
    operations = [
        migrations.AddField(model_name="testrecord", name="start", field=models.JSONField(null=True)),
    ]
