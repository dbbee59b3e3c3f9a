import pytest
import torch
from hypothesis import settings

# The gate finds the same thing on every run, however busy the machine.
settings.register_profile("gate", derandomize=True, deadline=None, max_examples=50, database=None)
settings.load_profile("gate")

collect_ignore = ["oracles/packages.py"]  # a program, for an environment that has those packages


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)
