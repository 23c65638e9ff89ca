"""The operator cases: for each a function or module, and example inputs. See make_operator_cases.py.

A case is `NAME: (callable, inputs, dynamic)`. Inputs are made from the shapes below by `make`; `dynamic` names the
dimensions that may change, as `{input index: {dim: (name, min, max)}}`.
"""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)  # modules get the same weights each time


class Like:
    """One input: a shape, how its values are made, and its type."""

    def __init__(self, *shape, kind="normal", high=None, dtype=torch.float32, low=0):
        self.shape, self.kind, self.high, self.low, self.dtype = shape, kind, high, low, dtype

    def make(self, generator, shape=None, step=0):
        shape = self.shape if shape is None else shape
        if self.kind == "step":
            return torch.full(shape, step, dtype=self.dtype)
        if self.kind == "normal":
            value = torch.randn(shape, generator=generator)
        elif self.kind == "positive":
            value = torch.rand(shape, generator=generator) + 0.25
        elif self.kind == "unit":
            value = torch.rand(shape, generator=generator) * 1.8 - 0.9
        elif self.kind == "bool":
            return torch.rand(shape, generator=generator) > 0.5
        elif self.kind == "int":
            value = torch.randint(self.low, self.high, shape, generator=generator)
        elif self.kind == "distinct":
            count = int(torch.Size(shape).numel())
            value = torch.randperm(count, generator=generator).reshape(shape) * 0.37 - 0.1 * count
        elif self.kind == "permutation":
            return torch.randperm(shape[0], generator=generator)
        return value.to(self.dtype)


X = Like(3, 4)
Y = Like(3, 4)
P = Like(3, 4, kind="positive")
U = Like(3, 4, kind="unit")
M = Like(3, 4, kind="bool")
I = Like(3, 4, kind="int", low=-5, high=6, dtype=torch.int64)
J = Like(3, 4, kind="int", low=1, high=6, dtype=torch.int64)
D = Like(3, 4, kind="distinct")
V = Like(4)
IMG = Like(2, 3, 6, 8)
SEQ = Like(2, 3, 8)
CUBE = Like(1, 2, 4, 4, 4)

CASES = {}
SEE_STORAGE = {"as_strided", "view", "view_inferred", "isin_invert"}  # they depend on how an input lies in memory
STEPS = {"model_kv_cache": 5}  # how often a program with state is called


def case(name, function, *inputs, dynamic=None):
    assert name not in CASES, name
    CASES[name] = (function, inputs, dynamic)


ROWS = {0: {0: ("rows", 1, 3)}}
BOTH = {0: {0: ("rows", 1, 3)}, 1: {0: ("rows", 1, 3)}}

for name in (
    "abs neg exp expm1 sin cos tan atan sinh tanh asinh sigmoid erf floor ceil trunc sign relu isnan isinf "
    "logical_not square sgn silu frac deg2rad rad2deg sinc round negative absolute special_expit isfinite "
    "selu celu isneginf isposinf nan_to_num"
).split():
    case(name, getattr(torch, name, None) or getattr(F, name, None) or getattr(torch.special, name[8:], None), X,
         dynamic=ROWS)
for name in "log log1p log2 log10 sqrt rsqrt reciprocal".split():
    case(name, getattr(torch, name), P, dynamic=ROWS)
for name in "asin acos atanh logit".split():
    case(name, getattr(torch, name), Like(3, 4, kind="positive") if name == "logit" else U)
case("acosh", lambda x: torch.acosh(x + 1), P)
for name in ("gelu hardswish hardsigmoid hardtanh relu6 leaky_relu elu softplus mish softsign tanhshrink hardshrink "
             "softshrink logsigmoid").split():
    case(name, getattr(F, name), X, dynamic=ROWS)
case("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), X)
case("threshold", lambda x: F.threshold(x, 0.1, 20.0), X)
case("hardtanh_bounds", lambda x: F.hardtanh(x, -0.5, 0.75), X)
case("leaky_relu_slope", lambda x: F.leaky_relu(x, 0.2), X)
case("prelu", F.prelu, Like(2, 3, 4), Like(3))
case("glu", lambda x: F.glu(x, 1), X)
for name in "add sub mul atan2 maximum minimum eq ne lt le gt ge logical_and logical_or logical_xor max min fmod".split():
    case(name + "_tensor", getattr(torch, name), X, Y, dynamic=BOTH)
case("add_broadcast", torch.add, Like(3, 1), Like(1, 4))
case("add_alpha", lambda x, y: torch.add(x, y, alpha=2), X, Y)
case("sub_alpha", lambda x, y: torch.sub(x, y, alpha=0.5), X, Y)
case("add_scalar", lambda x: x + 1.5, X, dynamic=ROWS)
case("add_int_scalar", lambda x: x + 1, X)
case("sub_scalar", lambda x: x - 2.5, X)
case("mul_scalar", lambda x: x * 2, X, dynamic=ROWS)
case("div_scalar", lambda x: x / 3, X)
case("rsub", lambda x: 1 - x, X)
case("rsub_tensor", lambda x, y: torch.rsub(x, y), X, Y)
case("div_tensor", torch.div, X, P, dynamic=BOTH)
case("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), X, P)
case("div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), X, P)
case("floor_divide", torch.floor_divide, X, P)
case("floor_divide_int", torch.floor_divide, I, J)
case("floor_divide_scalar", lambda x: x // 2, I)
case("true_divide", torch.true_divide, X, P)
case("remainder", torch.remainder, X, P)
case("remainder_scalar", lambda x: x % 3, X)
case("fmod_scalar", lambda x: torch.fmod(x, 0.7), X)
case("pow_scalar", lambda x: x**2, X)
case("pow_tensor", torch.pow, P, Y)
case("pow_base", lambda x: torch.pow(2.0, x), X)
case("float_power", lambda x: torch.float_power(x, 2.0), P)
for name in "eq ne lt le gt ge".split():
    case(name + "_scalar", (lambda op: lambda x: op(x, 0.25))(getattr(torch, name)), X)
for name in "bitwise_and bitwise_or bitwise_xor".split():
    case(name, getattr(torch, name), I, J)
    case(name + "_scalar", (lambda op: lambda x: op(x, 5))(getattr(torch, name)), I)
case("bitwise_and_bool", torch.bitwise_and, M, Like(3, 4, kind="bool"))
case("bitwise_not", torch.bitwise_not, I)
case("bitwise_left_shift", torch.bitwise_left_shift, J, J)
case("bitwise_right_shift", torch.bitwise_right_shift, J, J)
case("and_operator", lambda x, y: x & y, M, Like(3, 4, kind="bool"))
case("or_operator", lambda x, y: x | y, M, Like(3, 4, kind="bool"))
case("xor_operator", lambda x, y: x ^ y, M, Like(3, 4, kind="bool"))
case("invert_operator", lambda x: ~x, M)
case("add_int", torch.add, I, J)
case("mul_mixed_types", torch.mul, X, J)
case("add_half", torch.add, Like(3, 4, dtype=torch.float16), Like(3, 4, dtype=torch.float16))
case("mul_double", torch.mul, Like(3, 4, dtype=torch.float64), Like(3, 4, dtype=torch.float64))
case("relu_bfloat16", torch.relu, Like(3, 4, dtype=torch.bfloat16))
case("addcmul", lambda x, a, b: torch.addcmul(x, a, b), X, Y, Y)
case("addcmul_value", lambda x, a, b: torch.addcmul(x, a, b, value=0.5), X, Y, Y)
case("addcdiv", lambda x, a, b: torch.addcdiv(x, a, b, value=2.0), X, Y, P)
case("lerp_scalar", lambda x, y: torch.lerp(x, y, 0.3), X, Y)
case("lerp_tensor", torch.lerp, X, Y, U)
case("clamp", lambda x: torch.clamp(x, -0.5, 0.5), X, dynamic=ROWS)
case("clamp_min", lambda x: torch.clamp_min(x, 0.1), X)
case("clamp_max", lambda x: torch.clamp_max(x, 0.1), X)
case("clamp_tensor", lambda x, lo, hi: torch.clamp(x, lo, hi), X, Like(4, kind="positive"), Like(4))
case("clip", lambda x: torch.clip(x, -1, 1), X)
case("where", torch.where, M, X, Y, dynamic={0: {0: ("rows", 1, 3)}, 1: {0: ("rows", 1, 3)}, 2: {0: ("rows", 1, 3)}})
case("where_scalar_other", lambda m, x: torch.where(m, x, 0.0), M, X)
case("where_scalar_self", lambda m, x: torch.where(m, 1.0, x), M, X)
case("where_scalars", lambda m: torch.where(m, 1.0, 2.0), M)
case("masked_fill", lambda x, m: x.masked_fill(m, -1.0), X, M)
case("masked_fill_tensor", lambda x, m, v: x.masked_fill(m, v), X, M, Like())
case("xlogy", torch.xlogy, P, P)
case("hypot_by_hand", lambda x, y: torch.sqrt(x * x + y * y), X, Y)
case("logaddexp", torch.logaddexp, X, Y)
case("isclose", lambda x, y: torch.isclose(x, y), X, Y)

case("sum", torch.sum, X, dynamic=ROWS)
case("sum_dim", lambda x: torch.sum(x, 1), X, dynamic=ROWS)
case("sum_keepdim", lambda x: torch.sum(x, (0, 1), keepdim=True), X)
case("sum_int", torch.sum, I)
case("sum_bool", lambda m: m.sum(-1), M)
case("mean", torch.mean, X)
case("mean_dim", lambda x: torch.mean(x, -1, keepdim=True), X, dynamic=ROWS)
case("prod", torch.prod, X)
case("prod_dim", lambda x: torch.prod(x, 1), X)
case("var", lambda x: torch.var(x), X)
case("var_dim", lambda x: torch.var(x, 1), X)
case("var_biased", lambda x: torch.var(x, 1, unbiased=False, keepdim=True), X)
case("std", lambda x: torch.std(x), X)
case("std_dim", lambda x: torch.std(x, 1), X)
case("var_mean", lambda x: torch.var_mean(x, 1), X)
case("std_mean", lambda x: torch.std_mean(x, 1), X)
case("amax", lambda x: torch.amax(x, 1), X)
case("amin", lambda x: torch.amin(x, (0, 1), keepdim=True), X)
case("aminmax", lambda x: torch.aminmax(x, dim=1), X)
case("max_all", torch.max, X)
case("min_all", torch.min, X)
case("max_dim", lambda x: torch.max(x, 1), D)
case("min_dim", lambda x: torch.min(x, 0, keepdim=True), D)
case("argmax", lambda x: torch.argmax(x, 1), D)
case("argmin", lambda x: torch.argmin(x, 0, keepdim=True), D)
case("argmax_all", torch.argmax, D)
case("any", torch.any, M)
case("any_dim", lambda m: torch.any(m, 1), M)
case("all", torch.all, M)
case("all_dim", lambda m: torch.all(m, 1, keepdim=True), M)
case("count_nonzero", lambda x: torch.count_nonzero(x), I)
case("cumsum", lambda x: torch.cumsum(x, 1), X, dynamic=ROWS)
case("topk", lambda x: torch.topk(x, 2, dim=1), D)
case("logsumexp", lambda x: torch.logsumexp(x, 1), X)
case("norm", lambda x: torch.norm(x), X)
case("norm_dim", lambda x: torch.norm(x, dim=1), X)
case("vector_norm", lambda x: torch.linalg.vector_norm(x, dim=1, keepdim=True), X)
case("vector_norm_1", lambda x: torch.linalg.vector_norm(x, 1, dim=1), X)
case("vector_norm_inf", lambda x: torch.linalg.vector_norm(x, float("inf"), dim=1), X)
case("normalize", lambda x: F.normalize(x, dim=1), X)
case("cosine_similarity", lambda x, y: F.cosine_similarity(x, y, dim=1), X, Y)
case("pairwise_distance", lambda x, y: F.pairwise_distance(x, y), X, Y)
case("cdist", lambda x, y: torch.cdist(x, y), X, Y)
case("nansum", torch.nansum, X)
case("trace", torch.trace, Like(4, 4))

case("mm", torch.mm, X, Like(4, 5), dynamic=ROWS)
case("bmm", torch.bmm, Like(2, 3, 4), Like(2, 4, 5))
case("addmm", torch.addmm, Like(5), X, Like(4, 5))
case("addmm_scaled", lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), Like(3, 5), X, Like(4, 5))
case("baddbmm", torch.baddbmm, Like(2, 3, 5), Like(2, 3, 4), Like(2, 4, 5))
case("matmul_2d", torch.matmul, X, Like(4, 5))
case("matmul_vector", torch.matmul, V, Like(4))
case("matmul_matrix_vector", torch.matmul, X, V)
case("matmul_vector_matrix", torch.matmul, Like(3), X)
case("matmul_3d_2d", torch.matmul, Like(2, 3, 4), Like(4, 5), dynamic={0: {0: ("batch", 1, 4)}})
case("matmul_2d_3d", torch.matmul, X, Like(2, 4, 5))
case("matmul_batched", torch.matmul, Like(2, 2, 3, 4), Like(2, 2, 4, 5), dynamic={0: {0: ("batch", 1, 4)}, 1: {0: ("batch", 1, 4)}})
case("matmul_broadcast", torch.matmul, Like(2, 1, 3, 4), Like(3, 4, 5))
case("matmul_3d_1d", torch.matmul, Like(2, 3, 4), V)
case("mv", torch.mv, X, V)
case("dot", torch.dot, V, Like(4))
case("outer", torch.outer, Like(3), V)
case("inner", torch.inner, X, Like(5, 4))
case("einsum_mm", lambda x, y: torch.einsum("ij,jk->ik", x, y), X, Like(4, 5))
case("einsum_bhqk", lambda q, k: torch.einsum("bhqd,bhkd->bhqk", q, k), Like(1, 2, 3, 4), Like(1, 2, 5, 4))
case("tensordot", lambda x, y: torch.tensordot(x, y, dims=1), X, Like(4, 5))
case("kron", torch.kron, Like(2, 2), Like(2, 3))
case("linear", F.linear, X, Like(5, 4), Like(5), dynamic=ROWS)
case("linear_3d", F.linear, Like(2, 3, 4), Like(5, 4), Like(5), dynamic={0: {0: ("batch", 1, 4)}})
case("linear_no_bias", F.linear, X, Like(5, 4))
case("linear_3d_no_bias", F.linear, Like(2, 3, 4), Like(5, 4))
case("linear_1d", F.linear, V, Like(5, 4), Like(5))

case("conv1d", lambda x, w, b: F.conv1d(x, w, b, padding=1), SEQ, Like(4, 3, 3), Like(4))
case("conv2d", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), IMG, Like(4, 3, 3, 3), Like(4),
     dynamic={0: {0: ("batch", 1, 4)}})
case("conv2d_same", lambda x, w: F.conv2d(x, w, padding="same"), IMG, Like(4, 3, 3, 3))
case("conv2d_depthwise", lambda x, w: F.conv2d(x, w, groups=3, dilation=2), IMG, Like(3, 1, 3, 3))
case("conv_transpose1d", lambda x, w: F.conv_transpose1d(x, w, stride=2), SEQ, Like(3, 2, 3))
case("conv_transpose2d", lambda x, w, b: F.conv_transpose2d(x, w, b, stride=2, output_padding=1), IMG, Like(3, 2, 3, 3), Like(2))
case("max_pool1d", lambda x: F.max_pool1d(x, 2), Like(2, 3, 8, kind="distinct"))
case("max_pool2d", lambda x: F.max_pool2d(x, 2), IMG, dynamic={0: {0: ("batch", 1, 4)}})
case("max_pool2d_indices", lambda x: F.max_pool2d(x, 3, stride=2, padding=1, return_indices=True), Like(2, 3, 6, 8, kind="distinct"))
case("avg_pool1d", lambda x: F.avg_pool1d(x, 2), SEQ)
case("avg_pool2d", lambda x: F.avg_pool2d(x, 3, stride=2, padding=1), IMG)
case("avg_pool2d_ceil", lambda x: F.avg_pool2d(x, 3, stride=2, ceil_mode=True, count_include_pad=False), IMG)
case("adaptive_avg_pool1d", lambda x: F.adaptive_avg_pool1d(x, 3), SEQ)
case("adaptive_avg_pool1d_one", lambda x: F.adaptive_avg_pool1d(x, 1), SEQ)
case("adaptive_avg_pool2d_one", lambda x: F.adaptive_avg_pool2d(x, 1), IMG)
case("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), IMG)
case("upsample_nearest1d", lambda x: F.interpolate(x, scale_factor=2), SEQ)
case("upsample_nearest2d", lambda x: F.interpolate(x, scale_factor=2), IMG)
case("upsample_nearest2d_size", lambda x: F.interpolate(x, size=(9, 7)), IMG)
case("upsample_bilinear2d", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), IMG)
case("upsample_bilinear2d_corners", lambda x: F.interpolate(x, size=(9, 7), mode="bilinear", align_corners=True), IMG)
case("upsample_bicubic2d", lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), Like(1, 2, 4, 4))
case("upsample_linear1d", lambda x: F.interpolate(x, scale_factor=2, mode="linear"), SEQ)
case("grid_sample", lambda x, g: F.grid_sample(x, g, align_corners=False), IMG, Like(2, 4, 4, 2, kind="unit"))
case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), Like(1, 8, 2, 3))
case("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), Like(1, 2, 4, 6))
case("channel_shuffle", lambda x: F.channel_shuffle(x, 2), Like(1, 4, 2, 3))

case("batch_norm", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b), IMG, Like(3), Like(3, kind="positive"), Like(3), Like(3))
case("batch_norm_1d", nn.BatchNorm1d(4).eval(), X)
case("layer_norm", lambda x, w, b: F.layer_norm(x, (4,), w, b), X, V, V, dynamic=ROWS)
case("layer_norm_plain", lambda x: F.layer_norm(x, (3, 4)), Like(2, 3, 4))
case("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), Like(2, 4, 3, 3), V, V)
case("instance_norm", lambda x: F.instance_norm(x), IMG)
case("rms_norm", lambda x, w: F.rms_norm(x, (4,), w, eps=1e-5), X, V)
case("rms_norm_plain", lambda x: F.rms_norm(x, (4,)), X)
case("softmax", lambda x: F.softmax(x, -1), X, dynamic=ROWS)
case("softmax_half_to_float", lambda x: F.softmax(x, -1, dtype=torch.float32), Like(3, 4, dtype=torch.float16))
case("log_softmax", lambda x: F.log_softmax(x, 1), X)
case("softmin", lambda x: F.softmin(x, 1), X)
case("attention", F.scaled_dot_product_attention, Like(1, 2, 3, 4), Like(1, 2, 5, 4), Like(1, 2, 5, 4))
case("attention_causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), Like(1, 2, 3, 4), Like(1, 2, 3, 4), Like(1, 2, 3, 4))
case("attention_bool_mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), Like(1, 2, 3, 4), Like(1, 2, 5, 4), Like(1, 2, 5, 4), Like(3, 5, kind="bool"))
case("attention_float_mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), Like(1, 2, 3, 4), Like(1, 2, 5, 4), Like(1, 2, 5, 4), Like(3, 5))
case("embedding", lambda i, w: F.embedding(i, w), Like(2, 3, kind="int", high=7, dtype=torch.int64), Like(7, 4))
case("dropout_eval", lambda x: F.dropout(x, 0.5, training=False), X)

case("view", lambda x: x.view(2, 6), X)
case("view_inferred", lambda x: x.view(-1, 2), X, dynamic=ROWS)
case("reshape", lambda x: x.t().reshape(2, 6), X)
case("flatten", lambda x: x.flatten(1), Like(2, 3, 4), dynamic={0: {0: ("batch", 1, 4)}})
case("unflatten", lambda x: x.unflatten(1, (2, 2)), X)
case("permute", lambda x: x.permute(2, 0, 1), Like(2, 3, 4))
case("transpose", lambda x: x.transpose(0, 1), X, dynamic=ROWS)
case("t", lambda x: x.t(), X)
case("movedim", lambda x: x.movedim(0, 2), Like(2, 3, 4))
case("swapaxes", lambda x: x.swapaxes(0, 1), X)
case("squeeze", lambda x: x.squeeze(), Like(1, 3, 1, 4))
case("squeeze_dim", lambda x: x.squeeze(0), Like(1, 3, 1, 4))
case("squeeze_dims", lambda x: x.squeeze((0, 2)), Like(1, 3, 1, 4))
case("unsqueeze", lambda x: x.unsqueeze(1), X, dynamic=ROWS)
case("expand", lambda x: x.expand(2, 3, 4), Like(3, 1))
case("expand_as", lambda x, y: x.expand_as(y), Like(3, 1), X)
case("broadcast_to", lambda x: torch.broadcast_to(x, (3, 4)), V)
case("select", lambda x: x[1], X)
case("select_last", lambda x: x[:, -1], X, dynamic=ROWS)
case("slice", lambda x: x[:, 1:3], X, dynamic=ROWS)
case("slice_step", lambda x: x[:, ::2], X)
case("slice_whole", lambda x: x[:] + 1, X)
case("narrow", lambda x: x.narrow(1, 1, 2), X)
case("split", lambda x: torch.split(x, 3, 1), X)
case("split_with_sizes", lambda x: torch.split(x, [1, 3], 1), X)
case("chunk", lambda x: torch.chunk(x, 2, 1), X)
case("tensor_split", lambda x: torch.tensor_split(x, 3, 1), X)
case("unbind", lambda x: torch.unbind(x, 0), X)
case("cat", lambda x, y: torch.cat([x, y], 1), X, Y, dynamic=BOTH)
case("cat_mixed", lambda x, y: torch.cat([x, y], 0), X, Like(2, 4))
case("stack", lambda x, y: torch.stack([x, y], 1), X, Y)
case("hstack", lambda x, y: torch.hstack([x, y]), X, Y)
case("vstack", lambda x, y: torch.vstack([x, y]), X, Y)
case("repeat", lambda x: x.repeat(2, 3), X)
case("tile", lambda x: torch.tile(x, (2,)), X)
case("repeat_interleave", lambda x: x.repeat_interleave(2, dim=1), X)
case("flip", lambda x: torch.flip(x, (1,)), X)
case("fliplr", torch.fliplr, X)
case("roll", lambda x: torch.roll(x, 1, 1), X)
case("roll_flat", lambda x: torch.roll(x, 2), X)
case("rot90", lambda x: torch.rot90(x), X)
case("tril", torch.tril, Like(4, 4))
case("triu", lambda x: torch.triu(x, 1), Like(4, 4))
case("diagonal", lambda x: torch.diagonal(x), Like(4, 4))
case("diag", lambda x: torch.diag(x), V)
case("diag_embed", torch.diag_embed, X)
case("unfold", lambda x: x.unfold(1, 2, 1), X)
case("as_strided", lambda x: torch.as_strided(x, (2, 2), (4, 1)), X)
case("contiguous", lambda x: x.t().contiguous(), X)
case("clone", lambda x: x.clone(), X)
case("detach", lambda x: x.detach() * 2, X)
case("meshgrid", lambda x, y: torch.meshgrid(x, y, indexing="ij"), Like(3), V)
case("pad_constant", lambda x: F.pad(x, (1, 2), value=0.5), X)
case("pad_constant_2d", lambda x: F.pad(x, (1, 0, 0, 2)), X)
case("pad_reflect", lambda x: F.pad(x, (1, 2), mode="reflect"), SEQ)
case("pad_reflect_2d", lambda x: F.pad(x, (1, 2, 2, 1), mode="reflect"), IMG)
case("pad_replicate", lambda x: F.pad(x, (1, 2, 2, 1), mode="replicate"), IMG)
case("pad_circular", lambda x: F.pad(x, (1, 2), mode="circular"), SEQ)

case("index_select", lambda x, i: torch.index_select(x, 1, i), X, Like(3, kind="int", high=4, dtype=torch.int64))
case("gather", lambda x, i: torch.gather(x, 1, i), X, Like(3, 2, kind="int", high=4, dtype=torch.int64))
case("take_along_dim", lambda x, i: torch.take_along_dim(x, i, 1), X, Like(3, 2, kind="int", high=4, dtype=torch.int64))
case("index", lambda x, i: x[i], X, Like(2, kind="int", high=3, dtype=torch.int64))
case("index_second", lambda x, i: x[:, i], X, Like(2, kind="int", high=4, dtype=torch.int64))
case("index_put", lambda x, i, v: x.index_put((i,), v), X, Like(2, kind="permutation"), Like(2, 4))
case("index_add", lambda x, i, v: x.index_add(0, i, v), X, Like(3, kind="permutation"), X)
case("index_copy", lambda x, i, v: x.index_copy(0, i, v), X, Like(3, kind="permutation"), X)
case("index_fill", lambda x, i: x.index_fill(1, i, -1.0), X, Like(2, kind="permutation"))
case("scatter", lambda x, i, v: x.scatter(0, i, v), X, Like(1, 4, kind="int", high=3, dtype=torch.int64), Like(1, 4))
case("scatter_value", lambda x, i: x.scatter(1, i, 2.0), X, Like(3, 1, kind="int", high=4, dtype=torch.int64))
case("scatter_add", lambda x, i, v: x.scatter_add(1, i, v), X, Like(3, 2, kind="int", high=4, dtype=torch.int64), Like(3, 2))
case("select_scatter", lambda x, v: torch.select_scatter(x, v, 0, 1), X, V)
case("slice_scatter", lambda x, v: torch.slice_scatter(x, v, 1, 1, 3), X, Like(3, 2))
case("masked_scatter", lambda x, m, v: x.masked_scatter(m, v), X, M, Y)
case("one_hot", lambda i: F.one_hot(i, 5), Like(3, kind="int", high=5, dtype=torch.int64))
case("take", lambda x, i: torch.take(x, i), X, Like(3, kind="int", high=12, dtype=torch.int64))
case("isin", lambda x: torch.isin(x, torch.tensor([1, 3])), J)

case("to_int", lambda x: x.to(torch.int32), X)
case("to_double", lambda x: x.double(), X)
case("to_half", lambda x: x.half(), X)
case("to_bool", lambda x: x.bool(), I)
case("type_as", lambda x, y: x.type_as(y), I, X)
case("to_same", lambda x: x.to(torch.float32) + 1, X)
case("arange", lambda x: torch.arange(4) + x, X)
case("arange_float", lambda x: torch.arange(0.5, 4.5, 1.0) * x, X)
case("zeros", lambda x: torch.zeros(3, 4) + x, X)
case("ones", lambda x: torch.ones(4) * x, X)
case("full", lambda x: torch.full((4,), 2.5) * x, X)
case("zeros_like", torch.zeros_like, X, dynamic=ROWS)
case("ones_like", torch.ones_like, X, dynamic=ROWS)
case("full_like", lambda x: torch.full_like(x, 3.5), X)
case("new_zeros", lambda x: x.new_zeros(3), X)
case("new_ones", lambda x: x.new_ones((2, 2)), X)
case("new_full", lambda x: x.new_full((2,), 7.0), X)
case("eye", lambda x: torch.eye(4) @ x, Like(4, 3))
case("linspace", lambda x: torch.linspace(0, 1, 4) + x, X)
case("scalar_tensor", lambda x: torch.scalar_tensor(2.5) + x, X)
case("fill", lambda x: torch.fill(x, 2.0), X)

case("mse_loss", F.mse_loss, X, Y)
case("l1_loss", F.l1_loss, X, Y)
case("smooth_l1_loss", F.smooth_l1_loss, X, Y)
case("huber_loss", F.huber_loss, X, Y)
case("bce_with_logits", F.binary_cross_entropy_with_logits, X, P)
case("cross_entropy", F.cross_entropy, X, Like(3, kind="int", high=4, dtype=torch.int64))
case("nll_loss", F.nll_loss, X, Like(3, kind="int", high=4, dtype=torch.int64))
case("kl_div", lambda x, y: F.kl_div(x, y, reduction="sum"), X, P)
case("soft_margin_loss", F.soft_margin_loss, X, Y)

case("add_in_place", lambda x, y: (x * 1).add_(y), X, Y)
case("relu_in_place", lambda x: (x + 0.5).relu_(), X)
case("copy_into_slice", lambda x, v: _set_column(x, v), X, Like(3))


def _set_column(x, v):
    y = x.clone()
    y[:, 1] = v
    return y


class Second(nn.Module):
    """The first result of a recurrent module, and its state."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


class Small(nn.Module):
    """An encoder and a decoder of images with a way around the middle, as in a U-Net."""

    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 6, 3, padding=1)
        self.middle = nn.Conv2d(6, 6, 3, stride=2, padding=1)
        self.up = nn.Conv2d(12, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(6)

    def forward(self, x):
        a = F.silu(self.norm(self.down(x)))
        b = F.hardswish(self.middle(a))
        c = F.interpolate(b, scale_factor=2, mode="bilinear", align_corners=False)
        return self.up(torch.cat([a, c], 1)).sigmoid()


class ChannelsLast(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, stride=2, groups=8)
        self.last = nn.Linear(8, 5)

    def forward(self, x):
        x = x.to(memory_format=torch.channels_last)
        x = F.relu(self.second(F.relu6(self.first(x))))
        return self.last(F.adaptive_avg_pool2d(x, 1).flatten(1))


case("model_mlp", nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3), nn.Softmax(-1)), X)
case("model_unet", Small(), IMG)
case("model_channels_last", ChannelsLast(), IMG)
case("model_lstm", Second(nn.LSTM(4, 6, num_layers=2, bidirectional=True)), Like(3, 2, 4))
case("lstm", Second(nn.LSTM(4, 5, batch_first=True)), Like(2, 3, 4))
case("gru", Second(nn.GRU(4, 5)), Like(3, 2, 4))
case("rnn_tanh", Second(nn.RNN(4, 5)), Like(3, 2, 4))
case("lstm_cell", nn.LSTMCell(4, 5), Like(2, 4))
case("model_transformer", Second(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()), Like(1, 3, 8))


class WithState(nn.Module):
    """A recurrent module that is given its state."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x, *state):
        return self.module(x, state[0] if len(state) == 1 else state)


BATCH = {0: {1: ("batch", 1, 2)}}
STEP = Like(2, 4)
SEQUENCE = Like(3, 2, 4)
case("gru_cell", WithState(nn.GRUCell(4, 5)), STEP, Like(2, 5))
case("rnn_tanh_cell", WithState(nn.RNNCell(4, 5)), STEP, Like(2, 5))
case("rnn_relu_cell", WithState(nn.RNNCell(4, 5, nonlinearity="relu")), STEP, Like(2, 5))
case("lstm_cell_without_biases", nn.LSTMCell(4, 5, bias=False), STEP)
case("lstm_projection", Second(nn.LSTM(4, 6, proj_size=3)), SEQUENCE)
case("lstm_without_biases", Second(nn.LSTM(4, 6, bias=False, batch_first=True)), Like(2, 3, 4))
case("lstm_both_directions", Second(nn.LSTM(4, 6, num_layers=2, bidirectional=True, batch_first=True)), Like(2, 3, 4))
case("lstm_one_step", Second(nn.LSTM(4, 6)), Like(1, 2, 4))
case("lstm_unbatched", Second(nn.LSTM(4, 6)), Like(3, 4))
case("lstm_batch", Second(nn.LSTM(4, 6)), SEQUENCE, dynamic=BATCH)
case("lstm_state", WithState(nn.LSTM(4, 6, num_layers=2)), SEQUENCE, Like(2, 2, 6), Like(2, 2, 6))
case("rnn_relu", Second(nn.RNN(4, 5, nonlinearity="relu", batch_first=True)), Like(2, 3, 4))
case("gru_both_directions", Second(nn.GRU(4, 5, num_layers=2, bidirectional=True, batch_first=True)), Like(2, 3, 4))

for name, equation, *shapes in (
    ("batch", "bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("heads", "bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)),
    ("values", "bhqk,bkhd->bqhd", (2, 2, 3, 5), (2, 5, 2, 4)),
    ("dot", "bi,bi->b", (3, 4), (3, 4)),
    ("outer", "i,j->ij", (3,), (4,)),
    ("transpose", "bij->bji", (2, 3, 4)),
    ("sum", "bij->b", (2, 3, 4)),
    ("implicit", "bi,jb", (3, 4), (2, 3)),
    ("one_sided", "bij,bk->bk", (2, 3, 4), (2, 5)),
    ("scale", "bchw,bc->bchw", (2, 3, 4, 5), (2, 3)),
    ("linear", "bnd,od->bno", (2, 3, 4), (5, 4)),
):
    case("einsum_" + name, (lambda e: lambda *args: torch.einsum(e, *args))(equation), *[Like(*s) for s in shapes])
case("einsum_rows", lambda x, y: torch.einsum("bij,bjk->bik", x, y), Like(3, 3, 4), Like(3, 4, 5), dynamic=BOTH)
case("isin_invert", lambda x, y: torch.isin(x, y, invert=True), J, Like(3, kind="int", low=1, high=6, dtype=torch.int64))
case("inline_constants", lambda x: x * torch.tensor([1.0, 2.0, 3.0, 4.0]) + torch.tensor([[0.5]]), X)

NONE = Like(0, 4)
FROM_ZERO = {0: {0: ("rows", 0, 3)}}
case("empty_relu", torch.relu, NONE)
case("empty_add", torch.add, NONE, Like(0, 4))
case("empty_sum", torch.sum, NONE)
case("empty_sum_dim", lambda x: torch.sum(x, 0), NONE)
case("empty_cat", lambda x, y: torch.cat([x, y]), NONE, Like(2, 4))
case("empty_mm", torch.mm, NONE, Like(4, 3))
case("empty_permute", lambda x: x.permute(1, 0) * 2, NONE)
case("empty_any", torch.any, Like(0, 4, kind="bool"))
case("rows_from_zero", lambda x: torch.relu(x) + 1, X, dynamic=FROM_ZERO)
case("sum_from_zero", lambda x: torch.sum(x, 0), X, dynamic=FROM_ZERO)
case("softmax_from_zero", lambda x: torch.softmax(x, -1), X, dynamic=FROM_ZERO)


class Decoder(nn.Module):
    """One block of a transformer that decodes a token a step and keeps keys and values."""

    def __init__(self, width=8, heads=2, most=6):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.register_buffer("keys", torch.zeros(1, heads, most, self.size))
        self.register_buffer("values", torch.zeros(1, heads, most, self.size))
        self.register_buffer("places", torch.arange(most))

    def forward(self, x, place):
        q, k, v = (part.view(1, 1, self.heads, self.size).transpose(1, 2)
                   for part in self.qkv(self.first(x)).chunk(3, -1))
        self.keys.index_copy_(2, place, k)
        self.values.index_copy_(2, place, v)
        seen = (self.places <= place).view(1, 1, 1, -1)
        x = x + self.out(F.scaled_dot_product_attention(q, self.keys, self.values, seen).transpose(1, 2).flatten(2))
        return x + self.mlp(self.second(x))


class Tagger(nn.Module):
    """Embeds tokens, reads them in both directions, and gives each its scores."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 6)
        self.lstm = nn.LSTM(6, 4, bidirectional=True, batch_first=True)
        self.last = nn.Linear(8, 3)

    def forward(self, tokens):
        return F.log_softmax(self.last(self.lstm(self.embedding(tokens))[0]), -1)


case("model_kv_cache", Decoder(), Like(1, 1, 8), Like(1, kind="step", dtype=torch.int64))
case("model_tagger", Tagger(), Like(2, 5, kind="int", high=10, dtype=torch.int64))
