"""Which frameworks are tried: NumPy and PyTorch in the gate, the others by `make frameworks`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--frameworks", default="numpy,torch", help="comma-separated names")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "framework" in metafunc.fixturenames:
        names = metafunc.config.getoption("--frameworks", default="numpy,torch").split(",")
        metafunc.parametrize("framework", names, scope="session")
