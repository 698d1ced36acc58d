"""The pictures of docs/benchmarks.md, each from the RESULT of one benchmark; None where its figures are not there."""
import svg

SIZES = ("61", "1013", "16013", "mix")
STEPS = ("copy_in", "seal", "send", "receive", "open", "copy_out")


def _groups(result, keys):
    """(name, values) of each size that has any."""
    rows = [(size if size == "mix" else f"{size} B", [result.get(key.format(size)) for key in keys]) for size in SIZES]
    return [row for row in rows if any(value is not None for value in row[1])]


def transport(result):
    groups = _groups(result, ("over_quinn_{}", "over_quinn_{}_openssl"))
    return groups and svg.bars("CPU a record, both ends, over quinn's", ("best AEAD", "OpenSSL"), groups, goal=0.4)


def transport_floor(result):
    groups = _groups(result, ("over_floor_{}", "over_floor_apart_{}", "over_floor_{}_openssl",
                              "over_floor_apart_{}_openssl"))
    names = ("best AEAD", "best AEAD, apart", "OpenSSL", "OpenSSL, apart")
    return groups and svg.bars("CPU a record over the floor of the same minute", names, groups, goal=1.25)


def links(result):
    groups = [(text, [result[key]]) for text, key in (("a backlog on each", "over_quinn_61_backlog"),
                                                      ("one at a time", "over_quinn_61_turns")) if key in result]
    return groups and svg.bars(f"{result['links']:,} links at once: CPU a record over quinn's", ("",), groups, goal=0.5)


def drain(result):
    groups = _groups(result, ("rate_over_quinn_{}", "rate_over_quinn_storing_{}"))
    return groups and svg.bars("Records a second, stored durably on a tmpfs, over quinn's",
                               ("quinn without storing", "quinn, storing"), groups, goal=0.8)


def backlogs(result):
    keys = sorted((key for key in result if key.startswith("rate_after_start_")), key=lambda key: int(key.split("_")[-1]))
    groups = [(f"{int(key.split('_')[-1]):,}", [result[key] / 1e6]) for key in keys]
    return groups and svg.bars("Millions of 61 B records a second, by backlog, after the first 50,000", ("",), groups)


def put(result):
    names = {"batched_per_s": "batches", "single_per_s": "one at a time", "eight_threads_per_s": "eight threads"}
    groups = [(text, [result[key] / 1e6]) for key, text in names.items()]
    return svg.bars("Millions of 61 B records a second into an outbox on a tmpfs", ("",), groups, goal=1)


def floor(result):
    groups = [(f"{train} a train", [costs[step] for step in STEPS]) for train, costs in result["ns"].items()
              if int(train) >= 10]
    return svg.stacks(f"The floor of a 1,200 B packet, ns ({result['aead']})", STEPS, groups)
