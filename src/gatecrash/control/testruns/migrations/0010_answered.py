"""What senders of a record were answered when a node asked each what only others had asked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0009_sessions_over")]
    operations = [
        migrations.AddField(model_name="testrun", name="answered", field=models.BinaryField(null=True)),
    ]
