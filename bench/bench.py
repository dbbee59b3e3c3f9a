"""Time and peak memory of attn_lib beside the textbook form and torch's own, in one run.

Every number comes from a process of its own: one that does nothing else, on a fresh heap. Prints
tables and writes the same numbers to a JSON file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from forms import BATCH, FORMS, GPU_FORMS, SIZE, Call, bytes_of_direct

SIZES = {"cpu": (64, 128, 256, 512, 1024, 2048), "cuda": (512, 1024, 2048, 4096, 8192, 16384)}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
MODES = ("forward", "forward and backward")
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Measure everything, or one form in a process that main itself started."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="Q = K")
    parser.add_argument(
        "--device", choices=SIZES, default="cuda" if torch.cuda.is_available() else "cpu"
    )
    parser.add_argument("--dtype", choices=DTYPES, default="float32")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of the CPU")
    parser.add_argument("--json", type=Path, default=ROOT / "_build" / "bench.json")
    parser.add_argument("--one", nargs=4, metavar=("TABLE", "FORM", "MODE", "SIZE"))
    options = parser.parse_args()
    tables = {
        table: forms | (GPU_FORMS.get(table, {}) if options.device == "cuda" else {})
        for table, forms in FORMS.items()
    }
    sizes = options.sizes or SIZES[options.device]
    if options.one:
        torch.set_num_threads(options.threads)
        table, form, mode, size = options.one
        call = tables[table][form](int(size), options.device, DTYPES[options.dtype])
        print(json.dumps(measure(call, mode, options.device, "compiled" in form)))
        return

    print(f"{describe(options.device)}, {options.threads} threads, torch {torch.__version__}")
    print(
        f"B = {BATCH}, D = V = hidden = {SIZE}, {options.dtype}; memory: what a call adds at most"
    )
    results = []
    for table, forms in tables.items():
        for mode in MODES:
            rows = [
                {form: run(table, form, mode, size, options) for form in forms} for size in sizes
            ]
            print_table(table, mode, sizes, rows)
            results += [
                {"table": table, "mode": mode, "size": size, "form": form, **numbers}
                for size, row in zip(sizes, rows, strict=True)
                for form, numbers in row.items()
            ]
    options.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {
        "device": describe(options.device),
        "dtype": options.dtype,
        "threads": options.threads,
    }
    options.json.write_text(json.dumps({**machine, "results": results}, indent=1) + "\n")
    print(f"\nThe same numbers: {options.json}")


def run(
    table: str, form: str, mode: str, size: int, options: argparse.Namespace
) -> dict[str, float | str]:
    """Measure in a new process, unless the machine's memory cannot hold the direct form."""
    needed = bytes_of_direct(table, form, mode, size)
    if needed > room(options.device):
        return {"left out": f"needs {needed / 2**30:.0f} GiB"}
    arguments = ["--one", table, form, mode, str(size)]
    arguments += ["--device", options.device, "--dtype", options.dtype]
    arguments += ["--threads", str(options.threads)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, __file__, *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    return json.loads(done.stdout)


def measure(call: Call, mode: str, device: str, compiled: bool) -> dict[str, float]:
    """Take the peak of the first call and the best time of those that follow.

    What is compiled is called once before, and the CPU seconds of that noted, the compiler's too.
    """

    def once() -> None:
        if mode == "forward":
            with torch.no_grad():
                call.function(*call.inputs)
        else:
            output = call.function(*call.inputs)
            torch.autograd.grad(output, call.wanted, torch.ones_like(output))

    spent = os.times()
    if compiled:
        once()
    now = os.times()
    compiling = sum(now[:4]) - sum(spent[:4])
    before = reset_peak(device)
    once()
    extra = peak(device) - before
    best, started, repeats = float("inf"), time.perf_counter(), 0
    while repeats < 3 or (time.perf_counter() - started < 1 and repeats < 200):
        best = min(best, seconds(once, device))
        repeats += 1
    return {"seconds": best, "bytes": extra} | ({"compiling": compiling} if compiled else {})


def seconds(once: Callable[[], None], device: str) -> float:
    """Time one call, a GPU's to its end."""
    synchronize = torch.cuda.synchronize if device == "cuda" else lambda: None
    synchronize()
    start = time.perf_counter()
    once()
    synchronize()
    return time.perf_counter() - start


def reset_peak(device: str) -> int:
    """Forget earlier peaks; return the bytes in use now."""
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()
    Path("/proc/self/clear_refs").write_text("5")
    return status("VmRSS")


def peak(device: str) -> int:
    """Bytes in use at the highest point since reset_peak."""
    return torch.cuda.max_memory_allocated() if device == "cuda" else status("VmHWM")


def status(field: str) -> int:
    """Read a number of kB that Linux keeps on this process, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def room(device: str) -> int:
    """Bytes a call may use."""
    if device == "cuda":
        return torch.cuda.mem_get_info()[0]
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def describe(device: str) -> str:
    """Name the device."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    return f"CPU ({platform.machine()}, {torch.backends.cpu.get_cpu_capability()})"


def print_table(
    table: str, mode: str, sizes: list[int], rows: list[dict[str, dict[str, float | str]]]
) -> None:
    """Print one row per size: each form's milliseconds and MiB, and how it compares."""
    forms = list(rows[0])
    print(f"\n{table}, {mode}: ms | MiB (| compiling)")
    print("Q = K " + "".join(f"{form:>28}" for form in forms) + f"   {forms[0]} / {forms[1]}")
    for size, row in zip(sizes, rows, strict=True):
        print(f"{size:>5} " + "".join(f"{cell(row[form]):>28}" for form in forms), end="   ")
        print(ratios(row[forms[0]], row[forms[1]]))


def cell(numbers: dict[str, float | str]) -> str:
    """Write a measurement."""
    if "left out" in numbers:
        return str(numbers["left out"])
    compiling = f" | {numbers['compiling']:.0f} s" if "compiling" in numbers else ""
    return f"{numbers['seconds'] * 1e3:.2f} | {numbers['bytes'] / 2**20:.1f}{compiling}"


def ratios(first: dict[str, float | str], second: dict[str, float | str]) -> str:
    """Write how many times slower and larger the first is."""
    if "left out" in first or "left out" in second:
        return "-"
    time_ratio = first["seconds"] / second["seconds"]
    return f"{time_ratio:.2f} x time, {first['bytes'] / max(second['bytes'], 1):.1f} x memory"


if __name__ == "__main__":
    main()
