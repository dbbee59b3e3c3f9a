"""What exercises on the published page run on: a small part of torch, in plain Python.

`tensor` and `torch` are read by MicroPython in the reader's browser, where `import torch` finds the
latter. They are no second torch: they have what the book's exercises call, compute in double
precision, and name what they lack. Jupyter has torch itself, and nothing else imports this package.
"""
