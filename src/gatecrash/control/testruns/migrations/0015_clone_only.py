"""Which baseline requests of its record a copy tests, where it is not all of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0014_parts")]
    operations = [
        migrations.AddField(model_name="testrun", name="clone_only", field=models.JSONField(null=True)),
    ]
