"""One process tests where the settings say so, several where they say that."""

from pathlib import Path

from tests.node.loop import run

from gatecrash.node.observe.folding import Folding
from gatecrash.node.processes.crew import Crew
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.settings import NodeSettings
from gatecrash.node.spool import Spool
from gatecrash.node.test.runner import Runner
from gatecrash.node.tester import make_tester
from gatecrash.node.uplink import Uplink


@run
async def test_more_than_one_process_is_a_crew(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    uplink = Uplink("http://127.0.0.1:9", "t")
    way = (uplink, Session(), Lifeline())
    for processes, kind in ((1, Runner), (2, Crew)):
        settings = NodeSettings(api="http://127.0.0.1:9", token="t", spool_dir=tmp_path, processes=processes)
        made = make_tester(settings, way, Folding(spool), None, [])
        assert isinstance(made, kind)
        await made.close()
    await uplink.close()
    spool.close()
