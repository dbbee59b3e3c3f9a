"""What exists for speed alone: each piece replaces a readable form, and a test ties the two.

=============  ===================================  ==============================================
piece          replaces                             where
=============  ===================================  ==============================================
`softmax`      the last lines of `softmax`          `attn_lib.masking`
`additive`     `direct_scores`, tanh by tanh        `attn_lib.scoring`
`compiled`     the same, under torch.compile        `attn_lib.scoring`
=============  ===================================  ==============================================

The first two work on numbers that are there, in an ordinary call. Where torch only follows the
computation (torch.compile, export, trace, meta tensors), stacks it (vmap) or differentiates it in
other ways (torch.func, forward mode), the readable form runs; under torch.compile, the third.
"""

from torch import Tensor
from torch.autograd import forward_ad

from attn_lib.validation import has_values


def is_ordinary(*tensors: Tensor) -> bool:
    """Tell whether this is a plain eager call, which a custom gradient may serve."""
    return forward_ad._current_level < 0 and all(map(has_values, tensors))
