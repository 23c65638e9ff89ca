#!/usr/bin/env python3
"""Prints src/torch_export/operator_arguments.def from the operator schemas of the torch that is installed.

Left out are operators that write to out arguments, which torch.export never emits, those with one
argument, which leave no choice, and private and backend-specific ones but for those named here.
"""
import torch

PRIVATE = (
    "__ _adaptive_avg_pool _assert _cdist _conj _embedding_bag _fft_ _local_scalar _log_softmax "
    "_native_batch_norm _pdist_forward _reshape _safe_softmax _scaled_dot_product _softmax _to_copy _unsafe _upsample "
    "_weight_norm"
).split()
LEFT_OUT = "cudnn fbgemm miopen mkldnn nested quantized sparse".split()


def is_kept(name, schema):
    if len(schema.arguments) < 2 or any(argument.is_out for argument in schema.arguments):
        return False
    if name.startswith("_") and not name.startswith(tuple(PRIVATE)):
        return False
    return not name.startswith(tuple(LEFT_OUT))


def row(schema):
    words = [
        ("*" if argument.kwarg_only else "")
        + argument.name
        + ("=" if argument.has_default_value() else "")
        for argument in schema.arguments
    ]
    target = f"{schema.name}.{schema.overload_name or 'default'}"
    return f'PTEC_ARGUMENTS("{target}", "{" ".join(words)}")'


dispatched = {tuple(name.split(".")) for name in torch._C._dispatch_get_all_op_names()}
rows = []
for schema in torch._C._jit_get_all_schemas():
    namespace, name = schema.name.split("::", 1)
    full_name = (schema.name, schema.overload_name) if schema.overload_name else (schema.name,)
    if namespace == "aten" and full_name in dispatched and is_kept(name, schema):
        rows.append(row(schema))

print("// Names of the arguments of torch's operators, in order: `*` for keyword-only, `=` for those")
print("// with a default. Sorted by operator. Written by scripts/operator_arguments.py.")
print(f"// Source: the schemas of torch {torch.__version__.split('+')[0]}.")
print("\n".join(sorted(set(rows), key=lambda text: text.split('"')[1].encode())))
