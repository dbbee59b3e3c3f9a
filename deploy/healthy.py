"""Does the server in this container answer? Alone it listens at /, under JupyterHub elsewhere."""

import os
from urllib.parse import urlsplit
from urllib.request import urlopen

address = urlsplit(os.environ.get("JUPYTERHUB_SERVICE_URL", "http://127.0.0.1:8888/"))
with urlopen(f"http://127.0.0.1:{address.port}{address.path}api", timeout=4) as answer:
    assert answer.status == 200
