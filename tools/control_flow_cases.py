#!/usr/bin/env python3
"""Programs with control flow: archives, the reference's .pte files, and eager PyTorch's values.

    pip install torch==2.14.1 executorch==1.4.1
    python tools/control_flow_cases.py OUTDIR [CASE...]

For each case: CASE.pt2, CASE.pte where the reference exporter takes it, and CASE.json with the values of
several calls of one loaded method, the first of them repeated at the end. Stack traces are left out.
"""

import json
import pathlib
import sys

import torch
from executorch.exir import to_edge_transform_and_lower
from torch import nn
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim

CASES = {}
DECOMPOSE = True


def case(function):
    CASES[function.__name__] = function
    return function


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


def by_sign(x, positive, negative, *more):
    return torch.cond(x.sum() > 0, positive, negative, (x, *more))


def ones(*shape):
    return torch.ones(shape)


@case
def cond_both_sides():
    module = Function(lambda x: by_sign(x, torch.relu, torch.neg))
    return module, [(ones(2, 3),), (-ones(2, 3),)], None


@case
def cond_nested():
    def inner(x):
        return torch.cond(x.mean() > 2, lambda x: x * x, torch.exp, (x,))

    module = Function(lambda x, y: by_sign(x, inner, torch.sin) + y)
    return module, [(x * ones(2, 3), ones(2, 3)) for x in (3, 1, -1)], None


@case
def cond_weights():
    class Layers(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Parameter(torch.randn(4, 4))
            self.b = nn.Parameter(torch.randn(4, 4))
            self.register_buffer("c", torch.randn(2, 4))

        def forward(self, x):
            return by_sign(
                x,
                lambda x: (x @ self.a + self.c, x.sum(dim=1)),
                lambda x: (x @ self.b, x.mean(dim=1)),
            )

    return Layers(), [(ones(2, 4),), (-ones(2, 4),)], None


@case
def cond_dynamic():
    module = Function(lambda x: by_sign(x, lambda x: torch.relu(x) + x, torch.neg))
    calls = [(ones(2, 3),), (-ones(4, 3),), (ones(5, 3),)]
    return module, calls, ({0: Dim("b", min=1, max=5)},)


def waves(x):
    return by_sign(x, lambda x: torch.cos(x) * x, lambda x: torch.sin(x) * x)


@case
def cond_twice():
    """The first result is used after the second cond. The reference's numbers are wrong."""

    def function(x, y):
        a = waves(x)
        b = waves(y)
        return a * b, b + y

    x, y = torch.randn(2, 3).abs(), torch.randn(2, 3).abs()
    return Function(function), [(x, y), (x, -y), (-x, y), (-x, -y)], None


@case
def cond_chain():
    """Each result is an operand of the next cond, and all are returned. The reference's are wrong."""

    def function(x, w):
        a = by_sign(x, lambda x: torch.exp(x) @ torch.abs(w), lambda x: torch.neg(x) @ w)
        b = by_sign(a, lambda a: torch.cumsum(torch.abs(a), 1) @ w, lambda a: torch.relu(a) @ w)
        c = by_sign(b, lambda b: torch.sin(b) @ w, lambda b: torch.cos(b) @ w)
        return a, b, c

    x, w = torch.randn(3, 3).abs(), torch.randn(3, 3)
    return Function(function), [(x, w), (-x, w), (x, -w)], None


@case
def cond_around_others():
    """Two conds inside a branch, whose result is used after a map."""

    def inner(x, y):
        return waves(x) * waves(y) - y

    def function(x, y, z):
        r = torch.cond(x.mean() > -1, inner, lambda x, y: torch.exp(x) * y, (x, y))
        return r * map_over(lambda x, z: torch.tanh(x) * z * z, x, z)

    x, y, z = torch.randn(2, 3), torch.randn(2, 3), torch.randn(3)
    return Function(function), [(x, y, z), (x - 9, y, z), (x, -y, z)], None


@case
def map_slices():
    module = Function(lambda xs, y: map_over(lambda x, y: torch.sin(x) * y + x, xs, y))
    return module, [(torch.randn(4, 3), torch.randn(3)) for _ in range(2)], None


@case
def map_dynamic():
    """The reference plans the mapped tensor at the size of the example."""
    module = Function(lambda xs, y: map_over(lambda x, y: torch.sin(x) * y + x, xs, y))
    calls = [(torch.randn(count, 3), torch.randn(3)) for count in (4, 2, 7)]
    return module, calls, ({0: Dim("n", min=2, max=7)}, None)


@case
def cond_in_map():
    def body(x, y):
        return by_sign(x, lambda x, y: torch.exp(x) * y, lambda x, y: torch.neg(x) - y, y)

    module = Function(lambda xs, y: map_over(body, xs, y))
    return module, [(torch.randn(6, 3), torch.randn(3)) for _ in range(2)], None


@case
def map_in_cond():
    def function(xs, y):
        mapped = lambda xs, y: map_over(lambda x, y: torch.sin(x) * y, xs, y)
        return torch.cond(y.sum() > 0, mapped, lambda xs, y: torch.neg(xs) * y, (xs, y))

    return Function(function), [(torch.randn(6, 3), y) for y in (ones(3), -ones(3))], None


@case
def scan_carries():
    class Cell(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.randn(3, 3) * 0.5)

        def forward(self, c, d, xs, zs):
            def combine(carry, x):
                n = torch.tanh(carry[0] @ self.w + x[0]) * x[1]
                m = carry[1] + n
                return (n, m), (n * m, m - x[0])

            return scan(combine, (c, d), (xs, zs))

    def call():
        return torch.randn(1, 3), torch.randn(1, 3), torch.randn(4, 1, 3), torch.randn(4, 1, 3)

    return Cell(), [call(), call()], None


@case
def scan_dynamic():
    """The reference's program fails in the runtime, whatever the size."""

    def combine(carry, x):
        n = torch.sin(carry) * x + x
        return n, torch.cos(n)

    calls = [(torch.randn(n, 2), torch.randn(4, n, 2)) for n in (3, 1, 6)]
    dim = Dim("b", min=1, max=6)
    return Function(lambda c, xs: scan(combine, c, xs)), calls, ({0: dim}, {1: dim})


def counted(body):
    """body(x, y) for as long as i < n."""

    def function(i, n, one, x, y):
        return while_loop(lambda i, x: i < n, lambda i, x: (i + one, body(x, y)), (i, x))

    return Function(function)


def counts(*turns):
    x, y, one = torch.randn(2, 3), torch.randn(2, 3), torch.tensor(1)
    return [(torch.tensor(7), torch.tensor(7 + n), one, x, y) for n in turns]


@case
def while_turns():
    return counted(lambda x, y: x * y + x), counts(5, 0, 1, 60), None


@case
def while_dynamic():
    def function(x, y, limit):
        body = lambda x, z: (torch.relu(x * y) + y, torch.neg(z))
        a, b = while_loop(lambda x, z: x.mean() < limit, body, (x, torch.exp(x)))
        return a + x, b * y

    calls = [(x * ones(n, 3), ones(n, 3), torch.tensor(9.0)) for n, x in ((2, 1), (4, 3), (1, 0), (5, 20))]
    dim = Dim("b", min=1, max=5)
    return Function(function), calls, ({0: dim}, {0: dim}, None)


@case
def cond_in_while():
    return counted(lambda x, y: by_sign(x, lambda x: torch.neg(torch.exp(x)), torch.abs)), counts(4, 0, 1), None


def leaf(tensor):
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": dtype, "shape": list(tensor.shape), "values": tensor.flatten().tolist()}


def leaves(values):
    return {"leaves": [leaf(value) for value in torch.utils._pytree.tree_leaves(values)]}


def without_traces(program):
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn"):
                node.meta.pop(key, None)
    return program


def write(folder, name):
    torch.manual_seed(0)
    module, calls, shapes = CASES[name]()
    if shapes is not None and isinstance(module, Function):
        shapes = (shapes,)
    archive = str(folder / f"{name}.pt2")
    calls.append(calls[0])
    with torch.no_grad():
        program = torch.export.export(module.eval(), calls[0], dynamic_shapes=shapes)
        expected = [{"inputs": leaves(call), "outputs": leaves(module(*call))} for call in calls]
    program = program.run_decompositions() if DECOMPOSE else program
    torch.export.save(without_traces(program), archive)
    text = json.dumps({"case": name, "methods": {"forward": {"calls": expected}}})
    (folder / f"{name}.json").write_text(text.replace('{"inputs"', '\n{"inputs"') + "\n")
    try:
        edge = to_edge_transform_and_lower(torch.export.load(archive))
        (folder / f"{name}.pte").write_bytes(edge.to_executorch().buffer)
    except Exception as error:
        print(f"{name}: the reference refuses it: {str(error).splitlines()[0]}")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or CASES:
        print(name)
        write(folder, name)


if __name__ == "__main__":
    main()
