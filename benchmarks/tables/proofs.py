"""What tests and notebooks have found: planted bugs, another device."""

from .text import joined, plain, table


def planted_bugs(result: dict) -> str:
    """Show how many planted bugs the tests notice."""
    planted, killed = result["planted"], result["killed"]
    rows = [
        {
            "module": f"`{each['module']}`",
            "bug that no test noticed": plain(each["bug"]),
            "why": plain(each["reason"]),
        }
        for each in result["survivors"]
    ]
    return joined(
        f"Of {planted} planted bugs the tests noticed {killed}, which is "
        f"{100 * killed / planted:.1f} %.",
        table(rows) if rows else "",
    )


def device_tests(result: dict) -> str:
    """Say how many tests hold a device to the CPU's numbers, and which fail."""
    other = ", ".join(
        f"`{name}` ({test['outcome']})"
        for name, test in result["tests"].items()
        if test["outcome"] != "passed"
    )
    text = f"{result['passed']} of {result['of']} tests pass"
    return f"{text}; not so {other}." if other else f"{text}."


def notebooks(result: dict) -> str:
    """Show how the cells of each notebook went on a device."""
    rows, failed = [], []
    for name, told in result["notebooks"].items():
        row = {
            "notebook": f"`{name}`",
            "device": told["device"],
            ">cells run": f"{told['cells']} of {told['of']}",
            ">assertions that held": told["assertions"],
            ">seconds": f"{told['seconds']:.0f}",
        }
        rows.append(row)
        if told["failed"]:
            words = " ".join(told["failed"].split()).replace("`", "'")
            failed.append(f"`{name}` ended early: `{words}`.")
    said = " ".join(failed) or "No cell failed, and no assertion."
    return joined(table(rows), said)
