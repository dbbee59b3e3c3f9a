"""JupyterLab in the image: the notebooks of all four editions, and the English ones to begin with.

JupyterHub gives the address itself, and by `singleuser.defaultUrl` (values.yaml) the language.
"""

c = get_config()  # noqa: F821

c.ServerApp.ip = "0.0.0.0"  # the container's; `docker run -p 127.0.0.1:8888:8888` keeps it private
c.ServerApp.open_browser = False
c.ServerApp.root_dir = "/srv/attention/book"
c.LabApp.default_url = "/lab/tree/en"  # not ServerApp's, which would win over JupyterHub's choice

# A kernel with a trained model holds 300 MB: stop those that nobody has used for half an hour.
c.MappingKernelManager.cull_idle_timeout = 1800
c.MappingKernelManager.cull_interval = 300
c.MappingKernelManager.cull_connected = True
