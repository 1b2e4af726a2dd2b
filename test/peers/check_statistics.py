"""What scipy and statsmodels make of the cases in a file (JSON): prints one JSON object with the same names."""

import json
import sys

import numpy
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

cases = json.loads(open(sys.argv[1]).read())


def wilson(case):
    low, high = proportion_confint(case["successes"], case["total"], method="wilson")
    return [float(low), float(high)]


def independent(case):
    # The difference of the first and the second: ours is the second and the first.
    low, high = confint_proportions_2indep(
        case["second"], case["secondTotal"], case["first"], case["firstTotal"], compare="diff", method="newcomb",
    )
    return [float(low), float(high)]


def flipped(values):
    found = stats.permutation_test(
        (numpy.array(values),), lambda x, axis: numpy.sum(x, axis=axis), permutation_type="samples",
        n_resamples=numpy.inf, vectorized=True,
    )
    return float(found.pvalue)


def table(case):
    return [[case["both"], case["onlyFirst"]], [case["onlySecond"], case["neither"]]]


print(json.dumps({
    "wilson": [wilson(case) for case in cases["wilson"]],
    "independent": [independent(case) for case in cases["independent"]],
    "mcnemar": [float(mcnemar(table(case), exact=True).pvalue) for case in cases["mcnemar"]],
    "signFlip": [flipped(values) for values in cases["signFlip"]],
    "holm": [multipletests(values, method="holm")[1].tolist() for values in cases["holm"]],
    "power": [float(TTestPower().power(one["effect"], one["tasks"], 0.05)) for one in cases["power"]],
    "student": [float(stats.t.ppf(chance, freedom)) for chance, freedom in cases["student"]],
    "normal": [float(stats.norm.cdf(z)) for z in cases["normal"]],
    "beta": [float(stats.beta.cdf(x, a, b)) for x, a, b in cases["beta"]],
}))
