"""How a live figure works, whichever it is; `attn_lib.live.figures` holds the figures themselves.

A figure is declared once (`figure.Figure`) and shown by two hosts: `widget` in Jupyter,
`page` on the published page.
"""
