#!/usr/bin/env python3
"""Programs that the reference gets wrong or ptec lowers in a way of its own: archives and eager PyTorch's values.

    pip install torch==2.14.1 executorch==1.4.1
    python tools/edge_cases.py OUTDIR [CASE...]

The files are those of control_flow_cases.py, but archives are saved as torch.export.export leaves them, before any
decomposition: with composite operators, views, and operators that write in place.
"""

import torch
from torch import nn
from torch.export import Dim

import control_flow_cases as base


def images(*shape):
    return [(torch.randn(*shape),) for _ in range(3)]


class ChannelsLastBesideAConstant(nn.Module):
    def forward(self, x):
        return x.contiguous(memory_format=torch.channels_last) * 2.5 + 1


class ChannelsLastThroughPlainKernels(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(4)
        self.norm.running_mean.uniform_()

    def forward(self, x):
        y = x.contiguous(memory_format=torch.channels_last)
        y = torch.cat([self.norm(y), y.flip(1)], 1)
        y = nn.functional.pad(y, (1, 1, 0, 0))
        return y.softmax(1).contiguous(), y.permute(0, 2, 3, 1).cumsum(1).contiguous()


class ChannelsLastWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)

    def forward(self, x):
        return self.conv(x).contiguous()


class WritesThroughViews(nn.Module):
    """A ring of rows, written a row a call through a slice, a column through a transposed select."""

    def __init__(self):
        super().__init__()
        self.register_buffer("ring", torch.zeros(4, 3))
        self.register_buffer("turns", torch.zeros(1, dtype=torch.int64))

    def forward(self, x):
        self.ring[1:3] = self.ring[0:2].clone()
        self.ring[0].copy_(x)
        self.ring.t()[2].add_(1)
        self.turns += 1
        return self.ring * 2, self.turns.clone()


class BranchesWithCompositeOperators(nn.Module):
    def forward(self, x):
        def then(x):
            return torch.nn.functional.silu(x.reshape(-1).to(torch.float32)) * 3

        def other(x):
            return x.flatten().softmax(0) - 1

        return torch.cond(x.sum() > 0, then, other, (x,))


class SizesAsNumbers(nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x.sum(0) / n, x.reshape(n * 2, -1) + n, torch.arange(n) * x.shape[0]


base.CASES = {
    "channels_last_constant": lambda: (ChannelsLastBesideAConstant(), images(2, 3, 4, 5), None),
    "channels_last_kernels": lambda: (ChannelsLastThroughPlainKernels(), images(2, 4, 3, 5), None),
    "channels_last_weight": lambda: (ChannelsLastWeight(), images(1, 3, 5, 6), None),
    "composite_branches": lambda: (
        BranchesWithCompositeOperators(),
        [(torch.ones(2, 3),), (-torch.randn(2, 3).abs(),), (torch.randn(2, 3),)],
        None,
    ),
    "sizes_as_numbers": lambda: (
        SizesAsNumbers(),
        [(torch.randn(n, 4),) for n in (5, 2, 6)],
        ({0: Dim("n", min=2, max=6)},),
    ),
    "writes_through_views": lambda: (WritesThroughViews(), [(torch.randn(3),) for _ in range(4)], None),
}

if __name__ == "__main__":
    base.DECOMPOSE = False
    base.main()
