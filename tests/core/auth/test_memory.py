"""The memory of verdicts is bounded, and what is asked for again stays."""

from gatecrash.core.auth.memory import Memory


def test_the_memory_is_bounded():
    memory: Memory[bool] = Memory(half=10)
    for key in range(1000):
        memory.remember(key, True)
    assert len(memory) <= 20
    assert memory.recall(999) is True
    assert memory.recall(0) is None


def test_what_is_recalled_survives_the_next_generation():
    memory: Memory[bool] = Memory(half=4)
    memory.remember(-1, True)
    for key in range(100):
        assert memory.recall(-1) is True
        memory.remember(key, False)
