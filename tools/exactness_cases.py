"""Programs in which the reference's trace decides something that the archive doesn't show. See operator_cases.py.

One group for each: numbers read from tensors, what requires a gradient, the order of constants, numbers in the graphs
of control flow, tensors that are contiguous and channels-last at once.
"""

import torch
import torch.nn.functional as F
from operator_cases import STEPS, Like
from torch import nn
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan

torch.manual_seed(0)

CASES = {}
SEE_STORAGE = set()
STEPS = dict(STEPS)

X = Like(3, 4)
Y = Like(3, 4)
SQUARE = Like(4, 4)
ONE = Like(kind="int", low=1, high=4, dtype=torch.int64)
NUMBER = Like()
TOKENS = Like(2, 5, kind="int", high=10, dtype=torch.int64)
IMAGE = Like(2, 8, 6, 6)
PIXEL = Like(2, 8, 1, 1)


def case(name, function, *inputs, dynamic=None, steps=None):
    assert name not in CASES, name
    CASES[name] = (function, inputs, dynamic)
    if steps:
        STEPS[name] = steps


def last(module):
    """The module with its weights laid out channels last."""
    return module.to(memory_format=torch.channels_last)


# --- numbers read from tensors, dims counted from the back, filling with a tensor


def first_rows(x, n):
    count = n.item()
    torch._check(count >= 1)
    torch._check(count <= 3)
    return x[:count] * 2.0


def filled(count):
    def function(x, n):
        size = n.item()
        torch._check(size >= 1)
        torch._check(size <= 4)
        return torch.full((size, count), 1.5) + x[0, 0]

    return function


case("item_rows", first_rows, X, ONE)
case("item_full", filled(2), X, ONE)
case("item_beside_a_tensor", lambda x, n: x + n.item(), X, ONE)
case("item_of_a_float", lambda x, v: x * v.item(), X, NUMBER)
case("stack_behind_the_last", lambda x, y: torch.stack([x, y], -1), X, Y)
case("stack_of_lists", lambda x, y: torch.stack([x, y, x], -1), Like(4), Like(4))
case("stack_of_cubes", lambda x, y: torch.stack([x, y], -1) + 1, Like(2, 3, 4), Like(2, 3, 4))
case("stack_before_the_last", lambda x, y: torch.stack([x, y], -2), X, Y)


def fill_all(x, v):
    y = x * 2
    y.fill_(v)
    return y + x


def fill_a_row(x, v):
    y = x * 2
    y[1].fill_(v)
    return y


class Filled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3, 4))

    def forward(self, x, v):
        self.state.fill_(v)
        return self.state + x


case("fill_all", fill_all, X, NUMBER)
case("fill_a_row", fill_a_row, X, NUMBER)
case("fill_a_buffer", Filled(), X, NUMBER, steps=3)

# --- what requires a gradient


class Looked(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 6)
        self.weight = nn.Parameter(torch.randn(6, 3))

    def forward(self, tokens):
        rows = self.table(tokens)
        return rows @ self.weight, rows.argmax(-1), torch.zeros_like(rows)


class Picked(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5, 4))

    def forward(self, x, at):
        rows = self.weight.index_select(0, at)
        values, places = torch.topk(rows, 2)
        return values, places, rows.detach() + x, rows.floor(), torch.full_like(rows, 2.0) * x


class Averaged(nn.Module):
    """A buffer that follows a parameter, written without gradients."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        y = self.layer(x)
        with torch.no_grad():
            self.mean.mul_(0.9).add_(y.mean(0) * 0.1)
        return y - self.mean


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            y = self.layer(x)
        return self.layer(y), y * 2


case("gradient_of_a_table", Looked(), TOKENS)
case("gradient_of_picked_rows", Picked(), Like(3, 4), Like(3, kind="int", high=5, dtype=torch.int64))
case("gradient_into_a_mean", Averaged(), X, steps=3)
case("gradient_kept_out", Plain(), X)

# --- the order of constants


class Child(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))
        if bias:
            self.register_buffer("offset", torch.randn(4))

    def forward(self, x):
        x = x @ self.weight
        return x + self.offset if hasattr(self, "offset") else x


class Mixed(nn.Module):
    """Own parameters and buffers come after those of submodules when they are made later."""

    def __init__(self, order):
        super().__init__()
        for name in order:
            if name == "scale":
                self.scale = nn.Parameter(torch.randn(4))
            elif name == "shift":
                self.register_buffer("shift", torch.randn(4))
            elif name == "table":
                self.register_buffer("table", torch.randn(4), persistent=False)
            else:
                setattr(self, name, Child(name.startswith("b")))

    def forward(self, x):
        for child in self.children():
            x = child(x)
        x = x * self.scale + self.shift if hasattr(self, "shift") else x * self.scale
        return x + self.table if hasattr(self, "table") else x


class Literals(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Child(True)
        self.register_buffer("shift", torch.randn(4))
        self.block.register_buffer("late", torch.randn(4), persistent=False)
        self.constant = torch.randn(4)

    def forward(self, x):
        x = self.block(x) + torch.tensor([1.0, 2.0, 3.0, 4.0])
        return x[:, [0, 2, 1, 3]] * self.constant + self.shift + self.block.late


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)
        self.second = nn.Linear(4, 4)
        self.second.weight = self.first.weight
        self.own = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return self.second(self.norm(self.first(x))) * self.own


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(8, 8, 1), nn.BatchNorm2d(8), nn.ReLU())
        self.blocks = nn.ModuleList(nn.Sequential(nn.Conv2d(8, 8, 1), nn.BatchNorm2d(8)) for _ in range(2))
        self.scale = nn.Parameter(torch.randn(8, 1, 1))
        self.register_buffer("shift", torch.randn(8, 1, 1))

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = x + block(x)
        return x * self.scale + self.shift


for index, order in enumerate((
    ("a", "scale", "b", "shift"), ("b0", "a", "scale"), ("a0", "b", "a1", "shift", "scale", "table"),
)):
    case(f"constants_{index}", Mixed(order), SQUARE)
case("constants_of_literals", Literals(), SQUARE)
case("constants_tied", Tied(), SQUARE)
case("constants_deep", Deep(), Like(2, 8, 3, 3))

# --- numbers in the graphs of control flow


def by_sign(x, positive, negative):
    return torch.cond(x.sum() > 0, positive, negative, (x,))


case("numbers_in_branches", lambda x: by_sign(x, lambda x: x * 2.5 + 1, lambda x: (x - 3) / 2.0), X)
case("numbers_in_a_map", lambda x, y: map_over(lambda x, y: x * 2 + y * 0.5, x, y) + 1.0, X, Like(4))
case("numbers_twice", lambda x: by_sign(x, lambda x: x * 2.5 + 2.5, lambda x: x * 2.5), X)
case("numbers_of_integers", lambda x: by_sign(x, lambda x: x * 2 + 3, lambda x: x - 2),
     Like(3, 4, kind="int", low=-3, high=4, dtype=torch.int64))


def running(x):
    def step(carried, x):
        following = carried * 0.5 + x * 2
        return following, following + 1

    return scan(step, torch.zeros(4), x, dim=0)


case("numbers_in_a_scan", running, X)


def nested(x):
    def outer(x):
        return by_sign(x - 1, lambda x: x * 3.0, lambda x: x + 4)

    return by_sign(x, outer, lambda x: x * 0.25)


case("numbers_in_branches_of_branches", nested, X)
case("numbers_inside_and_out",
     lambda x: by_sign(x * 1.5, lambda x: torch.where(x > 0, x, 0.0) * 1.5, lambda x: torch.clamp(x, -1, 0) + 1.5), X)

# --- contiguous and channels-last at once


class Excite(nn.Module):
    def __init__(self, norm=True):
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8) if norm else nn.Identity()
        self.down, self.up = nn.Conv2d(8, 4, 1), nn.Conv2d(4, 8, 1)

    def forward(self, x):
        x = F.relu(self.norm(self.conv(x)))
        s = F.adaptive_avg_pool2d(x, 1)
        return x * torch.sigmoid(self.up(F.relu(self.down(s))))


class Means(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.up = nn.Conv2d(8, 8, 3), nn.Conv2d(8, 8, 1)

    def forward(self, x):
        x = self.conv(x)
        return x + self.up(x.mean((2, 3), keepdim=True)), x.amax((2, 3), keepdim=True) * 2


pixel = nn.Sequential(nn.Conv2d(8, 4, 1), nn.ReLU())
case("pixel_relu", last(pixel), PIXEL)
case("pixel_group_norm", last(nn.Sequential(nn.Conv2d(8, 4, 1), nn.GroupNorm(2, 4))), PIXEL)
case("pixel_twice", last(nn.Sequential(nn.Conv2d(8, 4, 1), nn.Sigmoid(), nn.Conv2d(4, 8, 1), nn.SiLU())), PIXEL)
case("pixel_of_one", last(nn.Sequential(nn.Conv2d(8, 1, 1), nn.Hardswish(), nn.Flatten())), PIXEL)
case("pixel_batch_norm", last(nn.Sequential(nn.Conv2d(8, 4, 1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(1))), PIXEL)
case("squeeze_excite", last(Excite()), IMAGE)
case("squeeze_excite_without_norm", last(Excite(False)), IMAGE)
case("squeeze_by_means", last(Means()), IMAGE)
case("grey_image", last(nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 1, 3), nn.Tanh())), Like(2, 1, 6, 6))
case("one_row", last(nn.Sequential(nn.Conv2d(8, 8, (1, 3)), nn.GELU(), nn.AvgPool2d((1, 2)))), Like(1, 8, 1, 6))

# --- depthwise convolutions, channels last


def depthwise(channels, times=1, kernel=3, **more):
    return nn.Conv2d(channels, channels * times, kernel, groups=channels, **more)


case("depthwise", last(nn.Sequential(depthwise(8, padding=1), nn.ReLU())), IMAGE)
case("depthwise_twofold", last(nn.Sequential(depthwise(4, 2), nn.Sigmoid())), Like(2, 4, 6, 6))
case("depthwise_separable", last(nn.Sequential(
    nn.Conv2d(3, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU6(), depthwise(8, padding=1), nn.BatchNorm2d(8), nn.ReLU6(),
    nn.Conv2d(8, 4, 1))), Like(1, 3, 9, 9))
case("depthwise_wide", last(nn.Sequential(depthwise(8, kernel=(1, 5), bias=False), nn.Conv2d(8, 8, 1))), IMAGE)
