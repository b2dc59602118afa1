# The part of drill 3 that is given: the weights with their outliers, the judge
# of what a quantizer returned, the measures and the printed table. The drill
# and its solution hand their four functions to main(); nothing here is to be
# solved. A wrong answer ends in one line on stderr, which names the row of the
# table and the first place that is wrong, and exit code 1.
import numbers
import sys
import traceback

try:
    import numpy as np
except ImportError:
    sys.exit(
        f"error: {sys.executable} has no numpy; run 'make setup' at the root of the repository"
        " and 'make run' in exercises/b04, or install it: python3 -m pip install numpy"
    )

ROWS, COLUMNS, SAMPLES = 64, 256, 32
OUTLIERS = slice(100, 108)
GROUPS = (128, 64, 32, 16, 8)
FP32_BYTES = 4 * ROWS * COLUMNS
# Of W: its root mean square and its largest magnitude.
CHECKSUM = (0.704302, 12.467940)
# Of a scale, relative: some roundings of f32, however it was computed. A code
# may be off by what that moves the quotient, which is at most 127.
SCALE_SLACK = 1e-6
CODE_SLACK = 2 * 127 * SCALE_SLACK


def make_data():
    """W (64 x 256, f32) with 8 outlier columns, and activations X (256 x 32)."""
    stream = np.random.default_rng(0)
    W = stream.normal(0.0, 0.05, (ROWS, COLUMNS))
    W[:, OUTLIERS] = stream.normal(0.0, 4.0, (ROWS, OUTLIERS.stop - OUTLIERS.start))
    X = np.random.default_rng(1).normal(0.0, 1.0, (COLUMNS, SAMPLES))
    found = (np.sqrt(np.mean(W**2)), np.abs(W).max())
    if not np.allclose(found, CHECKSUM, rtol=0, atol=1e-6):
        sys.exit(
            f"error: the generator of numpy {np.__version__} draws other weights than the published table"
            f" was made with (rms {found[0]:.6f}, not {CHECKSUM[0]:.6f}); use numpy 2.4.6"
        )
    return W.astype(np.float32), X


def dequantize(codes, scales):
    """codes * scale, each scale spread over the block that it stands for."""
    rows, blocks = scales.shape
    by_block = codes.reshape(rows, blocks, -1).astype(np.float32)
    return (by_block * scales[:, :, None]).reshape(codes.shape)


def fail(what, remedy):
    sys.exit(f"error: {what}; {remedy}")


def answer_of(name, call, function, *arguments):
    """What a function of the learner's returns; NotImplementedError goes through."""
    try:
        with np.errstate(all="ignore"):  # what goes wrong is seen in the answer
            return function(*arguments)
    except NotImplementedError:
        raise
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = " ".join(str(error).split())
        fail(f"{name}: {call} raised {type(error).__name__}: {said}", f"see '{where.line}', line {where.lineno} of {where.filename}")


def check_form(what, answer, shape):
    """Ends the program with one line unless `answer` can be (codes, scales) for W."""

    def refuse(found, remedy):
        fail(f"{what} returned {found}", remedy)

    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        refuse(type(answer).__name__, "return the pair (codes, scales)")
    try:
        codes, scales = (np.asarray(part) for part in answer)
    except ValueError:
        refuse("rows of unequal length", "return two arrays")
    if codes.shape != (ROWS, COLUMNS):
        refuse(f"codes of shape {codes.shape}", f"give every weight its code: {(ROWS, COLUMNS)}")
    if scales.shape != shape:
        refuse(f"scales of shape {scales.shape}", f"one scale per block makes {shape} here")
    if scales.dtype.kind != "f" or not np.isfinite(scales.astype(np.float32)).all() or (scales < 0).any():
        refuse("scales that are NaN, infinite, negative or no floats", "make them absmax / 127 of their block")
    if scales.dtype == np.float16:
        refuse("scales of type float16", "they are billed at 2 bytes and kept in float32 here")
    if codes.dtype.kind == "f" and np.isnan(codes).any():
        refuse("codes that are NaN", "divide each weight by the scale of its block, never by 0")
    if codes.dtype != np.int8:
        refuse(f"codes of type {codes.dtype}", "round and clip them, then .astype(np.int8)")
    if (codes == -128).any():
        refuse("the code -128", "clip to -127..127 before the cast to int8")
    return codes, scales.astype(np.float32)


def check_scales(what, W, scales):
    """Every scale takes the largest magnitude of its block to 127, or the first is named."""
    high, wide = ROWS // scales.shape[0], COLUMNS // scales.shape[1]
    for (i, j), scale in np.ndenumerate(scales):
        block = W[i * high : (i + 1) * high, j * wide : (j + 1) * wide]
        largest = max(abs(weight) for weight in block.ravel().tolist())
        if abs(127 * scale - largest) > SCALE_SLACK * largest:
            place = f"row {i}" if high == 1 else "the matrix"
            place += f", columns {j * wide}..{(j + 1) * wide - 1}," if wide < COLUMNS else ""
            fail(
                f"{what} gives {place} the scale {scale:.6g}, and 127 of it are {127 * scale:.6g}, where the largest"
                f" magnitude in there is {largest:.6g}",
                "a scale is absmax / 127 of its own block",
            )


def check_codes(what, W, codes, scales):
    """Every code is the nearest to its quotient, or the first that is not is named."""
    spread = np.kron(scales, np.ones((ROWS // scales.shape[0], COLUMNS // scales.shape[1])))
    quotient = np.clip(W / spread, -127, 127)
    wrong = np.argwhere(np.abs(codes - quotient) > 0.5 + CODE_SLACK)
    if wrong.size:
        i, j = wrong[0]
        fail(
            f"{what} gives row {i}, column {j} the code {codes[i, j]}, where the weight is {W[i, j]:.6g},"
            f" {quotient[i, j]:.2f} times its scale",
            "a code is that quotient, rounded to nearest",
        )


def judged(what, W, answer, shape):
    """The codes and the scales of an answer that is right for W."""
    codes, scales = check_form(what, answer, shape)
    check_scales(what, W, scales)
    check_codes(what, W, codes, scales)
    return codes, scales


def check_bytes(name, answer, codes, scales):
    """0 says that the fourth place is still open."""
    if isinstance(answer, bool) or not isinstance(answer, numbers.Real) or answer < 0 or answer % 1 != 0:
        fail(f"{name}: stored_bytes returned {answer!r}", "return a whole number of bytes, 0 or more")
    if answer not in (0, codes.nbytes + 2 * scales.size):
        fail(
            f"{name}: stored_bytes returned {answer:.0f} for {codes.size} codes and {scales.size} scales",
            "bill every code at 1 byte and every scale at 2, though it is a float32 here",
        )
    return int(answer)


def format_row(name, W, X, codes, scales, stored):
    exact = W.astype(np.float64)
    error = dequantize(codes, scales).astype(np.float64) - exact
    ordinary = np.delete(error, np.arange(COLUMNS)[OUTLIERS], axis=1)
    rel_w = np.linalg.norm(error) / np.linalg.norm(exact)
    rel_wx = np.linalg.norm(error @ X) / np.linalg.norm(exact @ X)
    ratio = FP32_BYTES / stored if stored else float("nan")
    return (
        f"{name:26} {rel_w:10.5f} {rel_wx:10.5f} {np.abs(ordinary).max():12.6f}"
        f" {np.sqrt(np.mean(ordinary**2)):12.6f} {stored:9d} {ratio:8.2f}x"
    )


def main(per_tensor, per_channel, per_group, stored_bytes):
    """Measures the schemes on W and prints one row each; open ones say so."""
    W, X = make_data()
    schemes = [
        ("per-tensor", per_tensor, (), (1, 1)),
        ("per-channel", per_channel, (), (ROWS, 1)),
    ]
    schemes += [(f"per-group g={g}", per_group, (g,), (ROWS, COLUMNS // g)) for g in GROUPS]
    lines = []
    for name, quantize, extra, shape in schemes:
        call = f"{quantize.__name__}({', '.join(['W', *map(str, extra)])})"
        try:
            answer = answer_of(name, call, quantize, W.copy(), *extra)
            codes, scales = judged(f"{name}: {call}", W, answer, shape)
            stored = answer_of(name, "stored_bytes", stored_bytes, codes, scales)
        except NotImplementedError:
            lines.append(f"{name:26} not implemented yet (fill in the TODO)")
            continue
        lines.append(format_row(name, W, X, codes, scales, check_bytes(name, stored, codes, scales)))
    heading = f"{'scheme':26} {'rel err W':>10} {'rel err Wx':>10} {'rest max err':>12} {'rest rms err':>12}"
    heading += f" {'bytes':>9} {'vs fp32':>9}"
    print("\n".join([heading, "-" * len(heading), *lines]))
