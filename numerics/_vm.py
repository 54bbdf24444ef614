"""Elementary functions and random bits that LLVM vectorises, the same bits on every machine.

The wheels of Numba call the scalar exp, log and sin of the C library, which stop vectorisation and
differ between systems.  These are polynomials in fused multiply-adds: at most 3 units in the last
place inside their stated domains, and undefined outside them (the callers guard).

Random numbers are counter based.  A stream is a pair (start, step) hashed from (seed, role, tuple);
its j-th word is a strong mix of ``start + j step``.  Streams have different odd steps, so two of
them share at most scattered words, never a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types

from numerics._jit import inline, intrinsic

# What a stream is for; a new role never disturbs the numbers of the others.
NEGATIVES, POSITIVE, ANCHOR = 1, 2, 3


@intrinsic
def as_float(typingctx: Any, x: Any) -> Any:
    """The float64 with the bits of a 64-bit integer."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(x), generate


@intrinsic
def as_int(typingctx: Any, x: Any) -> Any:
    """The int64 with the bits of a float64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(x), generate


@intrinsic
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """``a * b + c``, rounded once."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fma(*args)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def wide_vectors(typingctx: Any) -> Any:
    """Let the calling function use vectors of 512 bits; LLVM stops at 256 on many processors.

    A third faster where they exist, nothing elsewhere; the bits of the results are the same.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # llvmlite's own add() refuses attributes that LLVM knows by their text only.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.none(), generate


LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to an integer, held in the low bits


# Both: even and odd powers apart, two chains half as long as Horner's.  The integer part, in the
# low bits of ``shifted``, is added to the exponent of the result.


@inline
def exp(x: float) -> float:
    """e^x for -708 <= x <= 709."""
    shifted = fma(x, LOG2E, _ROUND)
    n = shifted - _ROUND
    r = fma(n, -_LN2_LOW, fma(n, -_LN2_HIGH, x))
    r2 = r * r
    odd = fma(2.510038549551032e-08, r2, 2.7557268459997064e-06)
    odd = fma(fma(odd, r2, 1.9841269863053618e-04), r2, 8.333333333330062e-03)
    odd = fma(fma(odd, r2, 1.6666666666666669e-01), r2, 1.0)
    even = fma(2.7620088445409746e-07, r2, 2.4801521295954376e-05)
    even = fma(fma(even, r2, 1.3888888917213717e-03), r2, 4.166666666662413e-02)
    p = fma(fma(fma(even, r2, 0.5), r, odd), r, 1.0)
    result: float = as_float(as_int(p) + (as_int(shifted) << np.int64(52)))
    return result


@inline
def exp2(x: float) -> float:
    """2^x for -1021 <= x <= 1022: two operations less than exp."""
    shifted = x + _ROUND
    f = x - (shifted - _ROUND)
    f2 = f * f
    odd = fma(1.020832305530292e-07, f2, 1.5252659427374817e-05)
    odd = fma(fma(odd, f2, 0.0013333558225800855), f2, 0.05550410866448181)
    odd = fma(odd, f2, 0.6931471805599492)
    even = fma(7.0381825747354674e-09, f2, 1.321565357745193e-06)
    even = fma(fma(even, f2, 0.0001540352999428165), f2, 0.009618129107983106)
    p = fma(fma(fma(even, f2, 0.240226506959091), f, odd), f, 1.0)
    result: float = as_float(as_int(p) + (as_int(shifted) << np.int64(52)))
    return result


@inline
def log(x: float) -> float:
    """Natural logarithm of a positive normal number."""
    bits = as_int(x)
    e = (bits - np.int64(0x3FE6A09E667F3BCD)) >> np.int64(52)  # the mantissa starts at sqrt(1/2)
    f = as_float(bits - (e << np.int64(52))) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = 1.479819860511658591e-01
    p = fma(p, z, 1.531383769920937332e-01)
    p = fma(p, z, 1.818357216161805012e-01)
    p = fma(p, z, 2.222219843214978396e-01)
    p = fma(p, z, 2.857142874366239149e-01)
    p = fma(p, z, 3.999999999940941908e-01)
    p = fma(p, z, 6.666666666666735130e-01)
    n = np.float64(np.int32(e))
    result: float = fma(n, _LN2_HIGH, fma(n, _LN2_LOW, fma(s, p * z, 2.0 * s)))
    return result


@inline
def log1p(x: float) -> float:
    """log(1 + x) for x > -1, accurate near 0: the rounding of 1 + x is made good to first order."""
    u = 1.0 + x
    return log(u) + (x - (u - 1.0)) / u


@inline
def log1p_remainder(x: float) -> float:
    """log(1 + x) - x + x^2/2 for x > -1, with full relative accuracy near 0 (it branches)."""
    if abs(x) > 0.04:
        return log1p(x) - x + 0.5 * x * x
    total = 0.0
    for j in range(14, 2, -1):
        total = 1.0 / j - x * total
    return x * x * x * total


@inline
def sinpi(w: float) -> float:
    """sin(pi w) for -1/2 <= w <= 1/2."""
    z = w * w
    p = 7.697826768224191e-07
    p = fma(p, z, -2.1903497074626018e-05)
    p = fma(p, z, 4.662998161898394e-04)
    p = fma(p, z, -7.370430505916944e-03)
    p = fma(p, z, 8.21458865731029e-02)
    p = fma(p, z, -5.992645293189447e-01)
    p = fma(p, z, 2.5501640398773007)
    p = fma(p, z, -5.167712780049969)
    result: float = fma(p, z, 3.141592653589793) * w
    return result


@inline
def mix(z: np.uint64) -> np.uint64:
    """A bijection of words in which every bit depends on every other (Stafford's variant 13)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inline
def stream_start(seed: np.uint64, role: int, index: int) -> np.uint64:
    """Where the stream of one tuple starts."""
    key = mix(seed + np.uint64(role) * np.uint64(0xD1B54A32D192ED03))
    return mix(key + (np.uint64(index) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))


@inline
def stream_step(start: np.uint64) -> np.uint64:
    """The odd step of a stream, with bits changing often enough for the mixer (as in SplitMix)."""
    z = mix(start ^ np.uint64(0x5851F42D4C957F2D)) | np.uint64(1)
    count = z ^ (z >> np.uint64(1))
    count -= (count >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    count = (count & pairs) + ((count >> np.uint64(2)) & pairs)
    count = (count + (count >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    if (count * np.uint64(0x0101010101010101)) >> np.uint64(56) < np.uint64(24):
        z ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    return z


HALF_CELL = 2.0**-53


@inline
def to_unit(word: np.uint64) -> float:
    """A word's leading 52 bits as the midpoint of one of 2^52 cells of (0, 1)."""
    one_two = as_float((word >> np.uint64(12)) | np.uint64(0x3FF0000000000000))
    result: float = one_two - (1.0 - HALF_CELL)
    return result


# The 32 bits of a half and a one below them: the midpoint of one of 2^32 cells of (1, 2).


@inline
def upper_half(word: np.uint64) -> float:
    """A word's leading 32 bits as the midpoint of one of 2^32 cells of (0, 1)."""
    bits = (word >> np.uint64(12)) & np.uint64(0x000FFFFFFFF00000)
    result: float = as_float(bits | np.uint64(0x3FF0000000080000)) - 1.0
    return result


@inline
def lower_half(word: np.uint64) -> float:
    """A word's trailing 32 bits as the midpoint of one of 2^32 cells of (0, 1)."""
    bits = (word << np.uint64(20)) & np.uint64(0x000FFFFFFFF00000)
    result: float = as_float(bits | np.uint64(0x3FF0000000080000)) - 1.0
    return result


@inline
def uniform(start: np.uint64, step: np.uint64, j: int) -> float:
    """The j-th number of a stream (j >= 1), uniform on (0, 1)."""
    return to_unit(mix(start + np.uint64(j) * step))
