from contextlib import nullcontext

import pytest
import torch
from hypothesis import settings

import attn_lib

# The gate finds the same thing on every run, however busy the machine.
settings.register_profile("gate", derandomize=True, deadline=None, max_examples=50, database=None)
settings.load_profile("gate")

collect_ignore = ["oracles/packages.py"]  # a program, for an environment that has those packages


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", help="where tensors are made: cpu, cuda, mps")


@pytest.fixture(autouse=True)
def device(request):
    """Make the tensors of a test on the device that is asked for."""
    name = request.config.getoption("--device", "cpu")
    # A default device is a mode, which torch.compile cannot always follow.
    with torch.device(name) if name != "cpu" else nullcontext():
        torch.manual_seed(0)
        yield name


@pytest.fixture(autouse=True)
def english():
    """Begin and end in English, whatever a test speaks."""
    attn_lib.set_language("en")
    yield
    attn_lib.set_language("en")


@pytest.fixture(autouse=True)
def uncounted(request, monkeypatch):
    """Leave a test with the mark `no_cover` out of Node's count too.

    To count lines makes tight loops several times as slow. The mark is for a test that repeats at
    length what another one runs.
    """
    if request.node.get_closest_marker("no_cover"):
        monkeypatch.delenv("NODE_V8_COVERAGE", raising=False)
