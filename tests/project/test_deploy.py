"""What `deploy/` gives a host agrees with the rest of the tree, and with itself."""

import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from jupyterlab_server.settings_utils import get_settings

import attn_lib
from book._ext.editions.languages import EDITIONS
from book._ext.site.page import CONTENT_SECURITY_POLICY

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([\w.]+)", re.MULTILINE)
VALUES = yaml.safe_load((DEPLOY / "values.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def pins(path):
    return {
        name.lower().replace("_", "-"): version for name, version in PIN.findall(path.read_text())
    }


def test_the_image_adds_exact_pins_and_repeats_none():
    lines = (DEPLOY / "requirements.txt").read_text().splitlines()
    assert [
        line for line in lines if line and not line.startswith("#") and not PIN.match(line)
    ] == []
    added = pins(DEPLOY / "requirements.txt")
    assert "jupyterhub" in added
    assert added.keys() & pins(ROOT / "requirements.txt").keys() == set()


def test_the_image_has_the_python_of_binder_and_of_the_gate():
    (version,) = re.findall(r"^FROM python:(3\.\d+)\.\d+-slim-\w+$", DOCKERFILE, re.MULTILINE)
    assert (ROOT / ".binder" / "runtime.txt").read_text().strip() == f"python-{version}"
    for workflow in WORKFLOWS:
        assert set(re.findall(r'python-version: "(.*)"', workflow.read_text())) == {version}


def test_what_the_image_copies_exists():
    kept = re.findall(r"^!(.*)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert [name for name in kept if not (ROOT / name).exists()] == []
    copied = {
        name
        for line in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE)
        for name in line.split()
    }
    assert {"requirements.txt", "deploy/requirements.txt"} <= copied
    assert "USER learner" in DOCKERFILE
    assert "--uid 1000" in DOCKERFILE


def test_the_chart_starts_this_version_in_each_language():
    single = VALUES["singleuser"]
    assert single["image"]["tag"] == attn_lib.__version__
    places = [profile["kubespawner_override"]["default_url"] for profile in single["profileList"]]
    assert places == [f"/lab/tree/{edition.code}" for edition in EDITIONS]
    assert [profile["slug"] for profile in single["profileList"] if profile.get("default")] == [
        "en"
    ]
    assert single["defaultUrl"] == places[0]


def news_settings(monkeypatch, folder):
    """What JupyterLab reads of its notifications where `folder` is a place of its configuration."""
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder))
    schemas = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
    name = "@jupyterlab/apputils-extension:notification"
    settings, _ = get_settings("", str(schemas), "", schema_name=name)
    properties = settings["schema"]["properties"]
    return {name: properties[name]["default"] for name in ("fetchNews", "checkForUpdates")}


SILENT = {"fetchNews": "false", "checkForUpdates": False}


def test_jupyterlab_is_told_to_ask_no_host_for_news(monkeypatch, tmp_path):
    assert news_settings(monkeypatch, tmp_path) == {"fetchNews": "none", "checkForUpdates": True}
    assert news_settings(monkeypatch, DEPLOY / "jupyter") == SILENT


def test_binder_make_lab_and_the_image_all_read_that_one_setting(monkeypatch, tmp_path):
    (tmp_path / "python").symlink_to("/bin/true")  # not torch and matplotlib once more
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {"NB_PYTHON_PREFIX": str(tmp_path), "PATH": path}
    subprocess.run(["bash", ".binder/postBuild"], cwd=ROOT, env=environment, check=True)
    assert news_settings(monkeypatch, tmp_path / "etc" / "jupyter") == SILENT
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\tJUPYTER_CONFIG_PATH=$(CURDIR)/deploy/jupyter $(BIN)/jupyter lab book\n" in makefile
    assert "cp -r deploy/jupyter/. /etc/jupyter\n" in DOCKERFILE
    assert "cp -r deploy/jupyter/. /opt/tljh/user/etc/jupyter\n" in (DEPLOY / "tljh.md").read_text()


@pytest.mark.parametrize("name", ["_headers", "nginx.conf", "htaccess"])
def test_the_headers_have_the_policy_of_the_pages(name):
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'self'" in text
    # It would forbid what frame-ancestors allows: a figure in a page of others.
    assert "X-Frame-Options" not in text


@pytest.mark.parametrize("path", ["/", "/user/anna/"])
def test_health_is_asked_where_the_server_listens(path):
    asked = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200 if self.path == f"{path}api" else 404)
            self.end_headers()

        def log_message(self, *args):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = {"JUPYTERHUB_SERVICE_URL": f"http://0.0.0.0:{server.server_port}{path}"}
        check = [sys.executable, DEPLOY / "healthy.py"]
        assert subprocess.run(check, env=where, check=False).returncode == 0
        assert asked == [f"{path}api"]
        server.shutdown()
    # Nobody listens any more.
    assert subprocess.run(check, env=where, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_pin_what_they_use_and_may_only_read(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert "timeout-minutes" in job, name
        for step in job["steps"]:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "a@" + 40 * "0")), step


def test_only_a_job_without_foreign_code_may_write_issues():
    watch = yaml.safe_load((ROOT / ".github/workflows/watch.yml").read_text(encoding="utf-8"))
    assert "permissions" not in watch["jobs"]["look"]
    tell = watch["jobs"]["tell"]
    assert tell["permissions"] == {"issues": "write"}
    assert [step for step in tell["steps"] if "uses" in step] == []
    for step in tell["steps"]:  # what was found comes as a variable, never as part of a program
        assert "${{" not in step["run"]
