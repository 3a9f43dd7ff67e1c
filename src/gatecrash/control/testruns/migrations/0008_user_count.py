"""How many different users a run's tests know."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("testruns", "0007_users_due")]
    operations = [
        migrations.AddField(model_name="testrun", name="user_count", field=models.IntegerField(null=True)),
    ]
