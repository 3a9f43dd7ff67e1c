from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("nodes", "0002_per_host_limit"),
    ]

    operations = [
        migrations.AddField(
            model_name="node",
            name="removed_at",
            field=models.BigIntegerField(null=True),
        ),
    ]
