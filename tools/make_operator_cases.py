"""Makes the archives of operator_cases.py, or of another module of cases, with inputs and what eager PyTorch gives,
as one zip.

    python -m venv VENV && VENV/bin/pip install torch==2.14.1 numpy
    VENV/bin/python tools/make_operator_cases.py tests/fixtures/operators.zip
    VENV/bin/python tools/make_operator_cases.py tests/fixtures/exactness.zip --cases exactness_cases

Every case has a member `NAME.pt2`, of torch.export.save without traces and example inputs, and one `NAME.txt`:

    input CALL INDEX DTYPE [SIZES] HEXADECIMAL BYTES
    output CALL INDEX DTYPE [SIZES] HEXADECIMAL BYTES
    reference SIZE CRC32            of the .pte that ExecuTorch 1.4.1 makes, where that is installed

Values are little-endian and contiguous. There are three calls: the example that was exported; other values, laid out
column by column when eager PyTorch gets them; and other values in the smallest sizes of a case with dynamic sizes. A
case with state has as many calls as its steps, and each of them goes on from the state that the one before left.
"""

import argparse
import binascii
import importlib
import io
import logging
import warnings
import zipfile

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
from slim_archive import FIXED_DATE, slim  # noqa: E402
from torch import nn  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("target")
parser.add_argument("only", nargs="*", help="names of cases")
parser.add_argument("--cases", default="operator_cases", help="the module that has them")
options = parser.parse_args()
cases = importlib.import_module(options.cases)


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        result = self.function(*args)
        return tuple(result) if isinstance(result, tuple) else result


def dynamic_shapes(inputs, dynamic, is_module):
    if not dynamic:
        return None
    dims = {}
    shapes = tuple(
        {dim: dims.setdefault(name, torch.export.Dim(name, min=low, max=high))
         for dim, (name, low, high) in dynamic.get(index, {}).items()}
        for index in range(len(inputs))
    )
    return shapes if is_module else (shapes,)


def by_column(value):
    """The same values, with the last two dimensions the other way round in memory."""
    return value.transpose(-1, -2).contiguous().transpose(-1, -2) if value.dim() > 1 else value


def small_shape(like, dims):
    shape = list(like.shape)
    for dim, (_, low, _) in dims.items():
        shape[dim] = low
    return tuple(shape)


def calls_of(name):
    _, inputs, dynamic = cases.CASES[name]
    generator = torch.Generator().manual_seed(1)
    if name in cases.STEPS:
        for step in range(cases.STEPS[name]):
            yield tuple(like.make(generator, step=step) for like in inputs)
        return
    arrange = torch.Tensor.contiguous if name in cases.SEE_STORAGE else by_column
    yield tuple(like.make(generator) for like in inputs)
    yield tuple(arrange(like.make(generator)) for like in inputs)
    shapes = [small_shape(like, (dynamic or {}).get(index, {})) for index, like in enumerate(inputs)]
    yield tuple(like.make(generator, shape) for like, shape in zip(inputs, shapes))


def line(kind, call, index, value):
    data = value.detach().clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8).numpy().tobytes() if value.numel() else b""
    sizes = ",".join(str(size) for size in value.shape)
    return f"{kind} {call} {index} {str(value.dtype)[6:]} [{sizes}] {data.hex()}\n"


def reference_of(program):
    try:
        from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    except ImportError:
        return ""
    config = EdgeCompileConfig(_check_ir_validity=False)
    try:
        file = to_edge_transform_and_lower(program, compile_config=config).to_executorch().buffer
    except Exception as error:  # noqa: BLE001 (the reference cannot, which the archive does not show)
        print("no reference:", str(error).splitlines()[0][:120])
        return ""
    return f"reference {len(file)} {binascii.crc32(file)}\n"


def calls_text(module, name):
    text = ""
    for call, args in enumerate(calls_of(name)):
        for index, value in enumerate(args):
            text += line("input", call, index, value)
        for index, value in enumerate(torch.utils._pytree.tree_leaves(module(*[value.clone() for value in args]))):
            text += line("output", call, index, value)
    return text


def made(name):
    function, inputs, dynamic = cases.CASES[name]
    is_module = isinstance(function, nn.Module)
    module = (function if is_module else Function(function)).eval()
    example = next(iter(calls_of(name)))
    with torch.no_grad():
        program = torch.export.export(
            module, example, dynamic_shapes=dynamic_shapes(inputs, dynamic, is_module), strict=False)
        archive = io.BytesIO()
        torch.export.save(program, archive)
        text = calls_text(module, name)
    reference = reference_of(torch.export.load(io.BytesIO(archive.getvalue())))
    return slim(archive.getvalue()), text + reference


def main():
    with zipfile.ZipFile(options.target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name in options.only or cases.CASES:
            torch.manual_seed(0)
            archive, text = made(name)
            for suffix, data in ((".pt2", archive), (".txt", text.encode())):
                info = zipfile.ZipInfo(name + suffix, FIXED_DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                out.writestr(info, data)
            print(name, flush=True)


if __name__ == "__main__":
    main()
