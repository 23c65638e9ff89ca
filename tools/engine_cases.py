"""Programs with engines, by both of Torch-TensorRT's exporters, and size and checksum of the reference's programs.

    python tools/engine_cases.py tests/fixtures/engines.zip

Wants torch 2.14.1, Torch-TensorRT 2.14.0 (its RTX build) and ExecuTorch 1.4.1, and on PYTHONPATH the scripts that the
other fixtures were made with (`make_fixtures`, `cpu_shim`; see tests/fixtures/README.md). An engine is cut down to 256 bytes of a pattern:
no exporter looks into one.
"""

import binascii
import hashlib
import pathlib
import sys
import tempfile
import zipfile

import cpu_shim
import make_fixtures
import torch
from make_fixtures import case, executed, one
from slim_archive import FIXED_DATE, slim
from torch import nn
from torch.export import Dim
from torch_tensorrt import Input

cpu_shim._Engine.serialize = lambda self: hashlib.sha256(bytes(memoryview(self.plan))).digest() * 8
make_fixtures.CASES.clear()


class Heads(nn.Module):
    def __init__(self, heads=4, size=4):
        super().__init__()
        self.heads, self.size = heads, size
        self.lin = nn.Linear(16, heads * size)

    def split(self, x):
        return self.lin(x).view(x.shape[0], -1, self.heads, self.size).transpose(1, 2)


class Cumsum(Heads):
    def forward(self, x):
        k = self.split(x)
        return torch.cumsum(k, 2), k


class Cache(Heads):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 4, 16, 4))

    def forward(self, x, at):
        k = self.split(x)
        self.keys.index_copy_(2, at, k)
        return self.keys.sum(2)


class Expanded(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 5)

    def forward(self, x):
        y = self.lin(x)
        i = y.argmax(-1, keepdim=True)
        return torch.cumsum(i.expand(-1, -1, 4), 1), y.unsqueeze(-1).expand(-1, -1, -1, 3)


class Permuted(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        y = self.conv(x).permute(0, 2, 3, 1)
        return y, torch.cumsum(y, 1).flatten(1, 2), torch.cumsum(y.select(2, 0), -1)


class Views(Heads):
    def forward(self, x):
        k = self.split(x)
        z = torch.cumsum(k, 2)
        return z.transpose(1, 2).reshape(x.shape[0], -1, 16) * torch.cumsum(x, 1)


@case
def heads_cumsum():
    return one(Cumsum(), (torch.randn(1, 6, 16),), settings=executed("cumsum"))


@case
def heads_cache():
    return one(Cache(), (torch.randn(1, 2, 16), torch.tensor([0, 1])), settings=executed("index_copy", "index_put"))


@case
def expanded():
    return one(Expanded(), (torch.randn(2, 3, 8),), settings=executed("cumsum"))


@case
def permuted():
    return one(Permuted(), (torch.randn(2, 3, 6, 6),), settings=executed("cumsum"))


@case
def heads_views():
    return one(Views(), (torch.randn(2, 6, 16),), settings=executed("cumsum"))


@case
def heads_dynamic():
    b = Dim("b", min=1, max=4)
    return one(Cumsum(), (torch.randn(2, 6, 16),), dynamic_shapes=({0: b},),
        input_specs=([Input(min_shape=(1, 6, 16), opt_shape=(2, 6, 16), max_shape=(4, 6, 16))], {}), settings=executed("cumsum"))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)
        self.lin = nn.Linear(8, 8)
        self.act = nn.ReLU()

    def forward(self, t):
        y = self.act(self.lin(self.table(t)))
        return torch.cumsum(y, 1), y.argmax(-1)


class Outside(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(8))
        self.lin = nn.Linear(8, 8)
        self.lin2 = nn.Linear(8, 8)

    def forward(self, x):
        y = torch.relu(self.lin(torch.cumsum(x, 0) * self.scale))
        y = torch.cumsum(y, 1)
        return self.lin2(y), y


class Gathered(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)
        self.lin = nn.Linear(8, 8)

    def forward(self, t, at):
        y = torch.relu(self.lin(self.table(t)))
        return y.index_select(0, at) , y @ self.table.weight.t()


@case
def gradient_table():
    return one(Table(), (torch.randint(0, 10, (2, 3)),), settings=executed("cumsum", "embedding"))


@case
def gradient_outside():
    return one(Outside(), (torch.randn(3, 8),), settings=executed("cumsum", "mul"))


@case
def gradient_gathered():
    return one(Gathered(), (torch.randint(0, 10, (4,)), torch.tensor([0, 2])), settings=executed("index_select", "embedding", "mm", "matmul", "permute", "index"))


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 8))
        self.register_buffer("shift", torch.randn(8))
        self.scale = nn.Parameter(torch.randn(8))
        self.norm = nn.BatchNorm1d(3)

    def forward(self, t):
        y = self.block(t)
        y = torch.cumsum(y, 1) * torch.tensor([1., 2, 3, 4, 5, 6, 7, 8], device=y.device) + self.shift
        return self.norm(y) * self.scale


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Module()
        self.inner.table = nn.Embedding(10, 8)
        self.lin = nn.Linear(8, 8)
        self.out = nn.Linear(8, 10, bias=False)
        self.out.weight = self.inner.table.weight
        self.register_buffer("m", torch.randn(10))

    def forward(self, t):
        y = torch.relu(self.lin(self.inner.table(t)))
        return torch.cumsum(self.out(y) + self.m, 1)


class Literal(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
        self.sub = nn.Module()
        self.sub.register_buffer("b", torch.randn(8))
        self.register_buffer("a", torch.randn(8))

    def forward(self, x):
        y = torch.cumsum(self.lin(x), 0)
        return y[:, [0, 3, 1]] * 2 + torch.cumsum(self.sub.b, 0)[:3] * self.a[:3]


@case
def constants_own():
    return one(Own(), (torch.randint(0, 10, (2, 3)),), settings=executed("cumsum", "embedding", "mul", "add", "batch_norm", "native_batch_norm", "_native_batch_norm_legit_no_training"))


@case
def constants_tied():
    return one(Tied(), (torch.randint(0, 10, (2, 3)),), settings=executed("cumsum", "embedding", "mm", "addmm", "add"))


@case
def constants_literal():
    return one(Literal(), (torch.randn(3, 8),), settings=executed("cumsum", "mul", "add", "index", "slice"))


def main():
    with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        folder = pathlib.Path(name)
        for case_name, make in make_fixtures.CASES.items():
            torch.manual_seed(0)
            make_fixtures.make(case_name, make(), folder)
        for archive in sorted(folder.glob("*.pt2")):
            stem = archive.name.removesuffix(".pt2")
            program = folder / (stem + ".pte")
            if not program.exists():  # both exporters' programs give the same
                program = folder / (stem.removesuffix(".legacy") + ".pte")
            data = program.read_bytes()
            text = f"reference {len(data)} {binascii.crc32(data)}\n".encode()
            for suffix, member in ((".pt2", slim(archive.read_bytes())), (".txt", text)):
                info = zipfile.ZipInfo(stem.replace(".", "_") + suffix, FIXED_DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                out.writestr(info, member)


if __name__ == "__main__":
    main()
