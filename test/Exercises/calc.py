# Evaluates the lines of ```calc blocks in Markdown: `expression = figure`, with
# numbers, + - * / ^, parentheses, floor, log2 and sqrt. Rational arithmetic is
# exact; a figure holds when the value rounds to the digits that are printed.
import ast
import math
import operator
import re
from fractions import Fraction

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS = {
    "floor": lambda x: Fraction(math.floor(x)),
    "log2": lambda x: Fraction(math.log2(x)),
    "sqrt": lambda x: Fraction(math.sqrt(x)),
}
FIGURE = re.compile(r"-?\d+(?:\.(\d+))?(?:e(-?\d+))?")
# Covers the roundings inside log2 and sqrt, and nothing that is printed.
SLACK = Fraction(1, 10**15)


def value_of(node):
    if isinstance(node, ast.Expression):
        return value_of(node.body)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value))  # as written: 0.1 is a tenth
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value_of(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.left), value_of(node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, exponent = value_of(node.left), value_of(node.right)
        if exponent.denominator != 1 or abs(exponent) > 1100:
            raise ValueError("the exponent is no small whole number")
        return base ** int(exponent)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        if len(node.args) == 1 and not node.keywords:
            return FUNCTIONS[node.func.id](value_of(node.args[0]))
    raise ValueError("only numbers, + - * / ^, parentheses, floor, log2 and sqrt")


def evaluate(expression):
    """The exact value of an expression; ValueError where it is none."""
    if "**" in expression:
        raise ValueError("write a power as ^")
    try:
        return value_of(ast.parse(expression.strip().replace("^", "**"), mode="eval"))
    except (SyntaxError, ZeroDivisionError) as error:
        raise ValueError(str(error)) from None


def fault(line):
    """What is wrong with one calc line; None when its figure holds."""
    expression, sign, printed = line.rpartition("=")
    figure = FIGURE.fullmatch(printed.strip())
    if not sign or not figure:
        return "not `expression = figure`"
    try:
        value = evaluate(expression)
    except ValueError as error:
        return str(error)
    digit = Fraction(10) ** (int(figure[2] or 0) - len(figure[1] or ""))
    if abs(value - Fraction(figure[0])) > digit / 2 + abs(value) * SLACK:
        return f"the value is {float(value):.12g}"
    return None


def lines_of(text):
    """(line number, line) of each calc line in a Markdown text."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fence = line[3:].strip() if fence is None else None
        elif fence == "calc" and line.strip():
            yield number, line
