#!/usr/bin/env python3
"""Writes test/golden/exact-distributions.json and exact-wide.json: exact distributions of the metrics of a day.

An implementation of its own: it shares no code with src/. Jobs are independent, so it enumerates all that can happen
to one job, walks that job through the day round by round, and takes the sum or the maximum over the jobs of a day. An
uncertain KK3 is integrated over by Gauss's rules, with many more nodes than it takes.

Usage: python3 scripts/exact-distributions.py        (needs numpy and scipy)
"""

import itertools
import json
import math
import pathlib
from collections import defaultdict

import numpy
import scipy.special

SCENARIOS = {
    "default": {
        "workflows": 4000,
        "steps": ["tariff", "discount", "invoice", "notification"],
        "kk3": 0.005,
        "kk2": 0.02,
        "scan": 2,
        "lease": 2,
        "retryLimit": 3,
        "rounds": 80,
        "stallOn": "first-attempt",
    },
    "five-steps": {
        "workflows": 4000,
        "steps": ["1", "2", "3", "4", "5"],
        "kk3": 0.013,
        "kk2": 0.037,
        "scan": 3,
        "lease": 2,
        "retryLimit": 2,
        "rounds": 80,
        "stallOn": "first-attempt",
    },
    "every-attempt": {
        "workflows": 50,
        "steps": ["1", "2", "3"],
        "kk3": 0.2,
        "kk2": 0.1,
        "scan": 3,
        "lease": 4,
        "retryLimit": 3,
        "rounds": 80,
        "stallOn": "every-attempt",
    },
    # The day ends before all jobs have.
    "short-day": {
        "workflows": 1000,
        "steps": ["1", "2", "3", "4"],
        "kk3": 0.03,
        "kk2": 0.05,
        "scan": 4,
        "lease": 3,
        "retryLimit": 3,
        "rounds": 13,
        "stallOn": "first-attempt",
    },
}


def uncertain(kind, *parameters, **others):
    kk3 = {"kind": kind, "parameters": list(parameters)}
    return SCENARIOS["default"] | {"kk3": kk3, "workflows": 100, "steps": ["1", "2", "3"]} | others


SCENARIOS |= {
    "uniform": uncertain("uniform", 0.002, 0.02, workflows=4000, steps=SCENARIOS["default"]["steps"]),
    "triangular": uncertain("triangular", 0, 0.02, 0.3, scan=3, stallOn="every-attempt", retryLimit=2),
    "beta": uncertain("beta", 0.4, 12.5),
    # One day in eleven has a KK3 of 1.
    "lognormal": uncertain("lognormal", 0.2, 1.2, kk2=0.1, lease=4),
}

# Sums that spread over thousands of values; only every so many values are written.
WIDE = {
    "wide": SCENARIOS["default"] | {"workflows": 200_000, "kk3": 0.02},
    "wide-every-attempt": SCENARIOS["every-attempt"] | {"workflows": 40_000},
}
SHOWN_OF_WIDE = 40

SUMS = [
    "halfFinishedUnsupervised",
    "completed",
    "compensatedJobs",
    "halfFinished",
    "stepsRun",
    "redriven",
    "wasted",
    "compensatedSteps",
]
MAXIMA = ["lastRound", "recoveryWorstRounds"]

# Values of a smaller probability are left out of the file, and of a smaller one out of the sums.
SHOWN = 1e-12
KEPT = 1e-40


def walk(scenario, persistent, stalls, supervised):
    """One job's day. `stalls` holds the (step, attempt) pairs whose record is lost."""
    outcome = defaultdict(int)
    outcome["delays"] = []
    step, attempt, started, state = 0, 0, None, "waiting"
    for t in range(1, scenario["rounds"] + 1):
        # 1. Records land.
        lands = step != persistent and (step, attempt) not in stalls
        if state == "running" and t == started + 1 and lands:
            outcome["stepsRun"] += 1
            step, attempt, state = step + 1, 0, "waiting"
        # 2. The supervisor scans.
        due = supervised and t % scenario["scan"] == 0
        if due and state == "running" and t - started >= scenario["lease"]:
            outcome["redriven"] += 1
            outcome["delays"].append(t - (started + 1))
            if (step, attempt) in stalls:
                outcome["wasted"] += 1
            attempt, state = attempt + 1, "waiting"
        # 3. The scheduler takes the job if it waits.
        if state == "waiting":
            if step == len(scenario["steps"]):
                outcome["completed"], outcome["lastRound"], state = 1, t, "closed"
            elif attempt >= scenario["retryLimit"]:
                outcome["compensatedJobs"], outcome["compensatedSteps"] = 1, step
                outcome["lastRound"], state = t, "closed"
            else:
                started, state = t, "running"
        if state == "closed":
            break
    outcome["halfFinished"] = int(state != "closed")
    outcome["end"] = scenario["rounds"] if state != "closed" else outcome["lastRound"]
    outcome["recoveryWorstRounds"] = max(outcome["delays"], default=0)
    return outcome


def enumerate_job(scenario):
    """Everything that can happen to a job: pairs of its probability and its outcome."""
    kk2, kk3 = scenario["kk2"], scenario["kk3"]
    step_count = len(scenario["steps"])
    attempts = range(scenario["retryLimit"] if scenario["stallOn"] == "every-attempt" else 1)
    for persistent in [None, *range(step_count)]:
        chance = 1 - kk2 if persistent is None else kk2 / step_count
        # One coin for each execution whose record may be lost.
        coins = [(step, attempt) for step in range(step_count) if step != persistent for attempt in attempts]
        for lost in itertools.product([False, True], repeat=len(coins)):
            stalls = {coin for coin, is_lost in zip(coins, lost) if is_lost}
            weight = kk3 ** len(stalls) * (1 - kk3) ** (len(coins) - len(stalls))
            outcome = walk(scenario, persistent, stalls, True)
            outcome["halfFinishedUnsupervised"] = walk(scenario, persistent, stalls, False)["halfFinished"]
            yield chance * weight, outcome


def job_pmf(job, metric):
    """Probabilities of one job's values 0, 1, 2, ... of a metric."""
    pmf = numpy.zeros(1 + max(outcome[metric] for _, outcome in job))
    for value in range(len(pmf)):
        pmf[value] = math.fsum(chance for chance, outcome in job if outcome[metric] == value)
    return pmf


def trim(first, pmf):
    kept = numpy.flatnonzero(pmf >= KEPT)
    return first + int(kept[0]), pmf[kept[0] : kept[-1] + 1]


def sum_pmf(pmf, count):
    """Of the sum of `count` independent values, by repeated squaring: no terms of unlike sign, so no cancellation."""
    result, power = (0, numpy.ones(1)), (0, pmf)
    while count > 0:
        if count & 1:
            result = trim(result[0] + power[0], numpy.convolve(result[1], power[1]))
        power = trim(2 * power[0], numpy.convolve(power[1], power[1]))
        count >>= 1
    first, probabilities = result
    return {first + i: p for i, p in enumerate(probabilities)}


def max_pmf(pmf, count):
    """Of the largest of `count` independent values."""
    above = [math.fsum(pmf[value + 1 :]) for value in range(len(pmf))]
    exceeded = [-math.expm1(count * math.log1p(-min(tail, 1))) if tail < 1 else 1.0 for tail in above]
    return {value: (exceeded[value - 1] if value > 0 else 1.0) - exceeded[value] for value in range(len(pmf))}


def describe(pmf):
    mean = math.fsum(value * p for value, p in pmf.items())
    variance = math.fsum((value - mean) ** 2 * p for value, p in pmf.items())
    shown = sorted(value for value, p in pmf.items() if p > SHOWN)
    return {
        "mean": mean,
        "sd": math.sqrt(variance),
        "values": shown,
        "probabilities": [pmf[value] for value in shown],
    }


def describe_delays(jobs, count):
    """The delay of a re-drive, over all of them, and the moments of a day's number of re-drives of each delay."""
    values = sorted({delay for _, job in jobs for _, outcome in job for delay in outcome["delays"]})
    counts = numpy.array([[outcome["delays"].count(value) for value in values] for _, outcome in jobs[0][1]])
    means, covariances = [], []
    for _, job in jobs:
        chances = numpy.array([chance for chance, _ in job])
        mean = chances @ counts
        means.append(count * mean)
        covariances.append(count * ((counts - mean).T @ (chances[:, None] * (counts - mean))))
    weights = numpy.array([weight for weight, _ in jobs])
    means = numpy.array(means)
    mean = weights @ means
    # The mean of the covariances, and the covariance of the means.
    covariance = numpy.tensordot(weights, numpy.array(covariances), 1)
    covariance += (means - mean).T @ (weights[:, None] * (means - mean))
    return {
        **describe({value: float(part / mean.sum()) for value, part in zip(values, mean)}),
        "dailyMeans": mean.tolist(),
        "dailyCovariance": covariance.tolist(),
    }


def gauss(begin, end, density, count=300):
    """Pairs of weight and KK3 for a density between two ends."""
    nodes, weights = numpy.polynomial.legendre.leggauss(count)
    points = begin + (end - begin) * (1 + nodes) / 2
    return [(w * (end - begin) / 2 * density(x), x) for w, x in zip(weights, points)]


def ratios(kk3):
    """Pairs of weight and KK3 that stand for its law."""
    if not isinstance(kk3, dict):
        return [(1.0, kk3)]
    parameters = kk3["parameters"]
    if kk3["kind"] == "uniform":
        low, high = parameters
        return gauss(low, high, lambda _: 1 / (high - low))
    if kk3["kind"] == "triangular":
        low, mode, high = parameters
        peak = 2 / (high - low)
        rising = gauss(low, mode, lambda x: peak * (x - low) / (mode - low), 150)
        return rising + gauss(mode, high, lambda x: peak * (high - x) / (high - mode))
    if kk3["kind"] == "beta":
        # Exact for polynomials, which all probabilities are: of a degree of at most the executions of a day.
        a, b = parameters
        points, weights = scipy.special.roots_sh_jacobi(300, a + b - 1, a)
        return list(zip(weights / weights.sum(), points))
    median, sigma = parameters
    highest = -math.log(median) / sigma
    normal = [
        (weight / math.sqrt(2 * math.pi), median * math.exp(sigma * z))
        for weight, z in gauss(-9, highest, lambda z: math.exp(-z * z / 2), 600)
    ]
    return [*normal, (float(scipy.special.ndtr(-highest)), 1.0)]


def mixed(jobs, pmf_of):
    """The mixture, over KK3, of what a day's distribution is for each."""
    mixture = defaultdict(float)
    for weight, job in jobs:
        for value, p in pmf_of(job).items():
            mixture[value] += weight * p
    return mixture


def records_pmf(job, scenario):
    records = defaultdict(float)
    for end, chance in max_pmf(job_pmf(job, "end"), scenario["workflows"]).items():
        records[scenario["workflows"] * (end // scenario["scan"])] += chance
    return records


def describe_scenario(scenario):
    jobs = [(weight, list(enumerate_job(scenario | {"kk3": kk3}))) for weight, kk3 in ratios(scenario["kk3"])]
    count = scenario["workflows"]
    metrics = {m: describe(mixed(jobs, lambda job: sum_pmf(job_pmf(job, m), count))) for m in SUMS}
    metrics |= {m: describe(mixed(jobs, lambda job: max_pmf(job_pmf(job, m), count))) for m in MAXIMA}
    metrics["recordsRead"] = describe(mixed(jobs, lambda job: records_pmf(job, scenario)))
    return {"metrics": metrics, "recoveryDelay": describe_delays(jobs, count)}


def rounded(data):
    """The same with 13 significant digits."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.13g}") if isinstance(data, float) else data


def thinned(description):
    every = max(1, len(description["values"]) // SHOWN_OF_WIDE)
    return description | {name: description[name][::every] for name in ("values", "probabilities")}


def write(name, scenarios, shorten=lambda description: description):
    lines = []
    for title, scenario in scenarios.items():
        head = f'"name": {json.dumps(title)},\n"scenario": {json.dumps(scenario)},\n'
        result = rounded(describe_scenario(scenario))
        rows = (f"{json.dumps(metric)}: {json.dumps(shorten(value))}" for metric, value in result["metrics"].items())
        metrics = ",\n".join(rows)
        delays = json.dumps(result["recoveryDelay"])
        lines.append(f'{{{head}"metrics": {{\n{metrics}\n}},\n"recoveryDelay": {delays}}}')
    path = pathlib.Path(__file__).parent.parent / "test/golden" / name
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    write("exact-distributions.json", SCENARIOS)
    write("exact-wide.json", WIDE, thinned)


if __name__ == "__main__":
    main()
