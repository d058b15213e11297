"""What tests and notebooks have found: planted bugs, another device."""

from __future__ import annotations

from result_text import plain, table


def planted_bugs(result: dict) -> str:
    """Show how many planted bugs the tests notice."""
    planted, killed = result["planted"], result["killed"]
    text = (
        f"Of {planted} planted bugs the tests noticed {killed}, which is "
        f"{100 * killed / planted:.1f} %."
    )
    if not result["survivors"]:
        return text
    rows = [
        [f"`{each['module']}`", plain(each["bug"]), plain(each["reason"])]
        for each in result["survivors"]
    ]
    head = ["module", "bug that no test noticed", "why"]
    return text + "\n\n" + table(head, rows)


def device_tests(result: dict) -> str:
    """Say how many tests hold a device to the CPU's numbers, and which fail."""
    tests = result["tests"].items()
    other = [f"`{n}` ({t['outcome']})" for n, t in tests
             if t["outcome"] != "passed"]  # fmt: skip
    text = f"{result['passed']} of {result['of']} tests pass"
    return text + (f"; not so {', '.join(other)}." if other else ".")


def notebooks(result: dict) -> str:
    """Show how the cells of each notebook went on a device."""
    head = ["notebook", "device", ">cells run", ">assertions that held"]
    head += [">seconds"]
    rows, failed = [], []
    for name, told in result["notebooks"].items():
        rows.append(
            [
                f"`{name}`",
                str(told["device"]),
                f"{told['cells']} of {told['of']}",
                str(told["assertions"]),
                f"{told['seconds']:.0f}",
            ]
        )
        if told["failed"]:
            words = " ".join(told["failed"].split()).replace("`", "'")
            failed.append(f"`{name}` ended early: `{words}`.")
    said = " ".join(failed) or "No cell failed, and no assertion."
    return "\n\n".join([table(head, rows), said])
