"""What pyproject.toml cannot say: the addresses, which `_config.yml` states for the whole tree.

Notebooks link to the published page by them (`attn_lib/live/host/published.py`).
"""

from pathlib import Path
from urllib.parse import urlsplit

import yaml
from setuptools import setup

config = yaml.safe_load((Path(__file__).parent / "_config.yml").read_text(encoding="utf-8"))
repository = config["repository"]["url"]
owner, name = urlsplit(repository).path.strip("/").split("/")[:2]
# As for the site (book/_ext/site/address.py): at `html.baseurl`, else on the repository's Pages.
site = config["html"].get("baseurl") or f"https://{owner}.github.io/{name}/"

setup(project_urls={"Homepage": site, "Source": repository})
