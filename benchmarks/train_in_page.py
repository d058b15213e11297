"""Five starts of each experiment of "Train one yourself", in Chromium.

    python benchmarks/train_in_page.py

Each experiment of book/_static/train/presets.js is trained with its part and
without it, from starts 0 to 4, by the page's own scripts. Stored are letters
right when the model writes 200 fresh lines; letters right in practice (with
the true letters before them) and the plain loss, both of the last 20 updates;
the first of 20 updates in a row with nine letters of ten right in practice;
CPU time an update; of start 0 the losses, an answer and a map, too. Updates,
task and width of an experiment were chosen on starts 100 to 104 (`--starts
100 101 102 103 104`, which stores nothing). `--smoke` does the
same in miniature. It needs playwright and a Chromium, as the page's tests do.
"""

import json
import os
import shutil
from pathlib import Path

import common

NAME = "train_in_page"
HERE = Path(__file__).resolve().parents[1]
TRAIN = HERE / "book" / "_static" / "train"
PARTS = """parts random matrix operations attention model adam tasks run
    presets""".split()
STARTS = (0, 1, 2, 3, 4)
MEASURE = """
globalThis.measure = ({ name, off, seed, most, told }) => {
  const changes = off ? Train.PRESETS[name].off : {};
  const setting = Train.settingOf(name, changes);
  setting.updates = Math.min(setting.updates, most);
  const run = new Train.Run(setting, seed);
  const losses = [];
  let inRow = 0, cliff = null, practice = 0;
  for (let n = 1; n <= setting.updates; n++) {
    const now = run.update();
    losses.push(now.plain);
    inRow = now.practice >= 0.9 ? inRow + 1 : 0;
    if (inRow === 20 && cliff === null) cliff = n - 19;
    if (n > setting.updates - 20) practice += now.practice;
  }
  const last = losses.slice(-20);
  const round = (x, n) => Number(x.toFixed(n));
  const { letters, answers } = run.judge(200);
  const found = {
    seed, letters: round(letters, 4), answers: round(answers, 4),
    practice: round(practice / last.length, 4),
    plain: round(last.reduce((a, b) => a + b) / last.length, 4),
    cliff, parameters: run.model.size, updates: setting.updates,
  };
  if (!told) return found;
  const asked = setting.task === "dice" ? [] : [3, 0, 2, 1, 5, 4];
  const look = run.look(asked);
  return { ...found, losses: losses.filter((_, n) => n % 5 === 0)
    .map((x) => round(x, 3)), look: { asked, written: look.written, T: look.T,
      map: [...look.maps.at(-1)].map((x) => round(100 * x, 0)) } };
};
"""


def chromium(playwright):
    """Start the Chromium that is installed."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    found = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, names)), None
    )
    return playwright.chromium.launch(
        executable_path=found, args=["--no-sandbox"]
    )


def measured(page, most: int, told: dict) -> dict:
    """Return what one run tells, with CPU time an update.

    Args:
        page: an empty one, with the scripts.
        most: updates, at most.
        told: name of the experiment, off, seed.
    """
    begun = computed(page)
    given = told | {"most": most, "told": told["seed"] == 0}
    found = page.evaluate("given => measure(given)", given)
    seconds = computed(page) - begun
    found["milliseconds"] = round(1000 * seconds / found["updates"], 1)
    return found


def computed(page) -> float:
    """Return the seconds that the page's process has computed."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    found = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return {one["name"]: one["value"] for one in found}["ProcessTime"]


def main() -> None:
    """Measure, and store."""
    parser = common.parser(__doc__)
    parser.add_argument("--starts", type=int, nargs="+", default=STARTS)
    parser.add_argument("--only", nargs="+")
    args = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = chromium(started)
        page = browser.new_page()
        page.set_default_timeout(0)
        for one in PARTS:
            page.add_script_tag(path=TRAIN / f"{one}.js")
        page.add_script_tag(content=MEASURE)
        judged = "Object.entries(Train.PRESETS).filter(([, p]) => p.judged)"
        names = args.only or page.evaluate(f"{judged}.map(([name]) => name)")
        most = 20 if args.smoke else 10_000
        runs = {name: {"on": [], "off": []} for name in names}
        for name in names:
            for seed in args.starts:
                for how in ("on", "off"):
                    told = {"name": name, "off": how == "off", "seed": seed}
                    one = measured(page, most, told)
                    runs[name][how].append(one)
                    short = {k: v for k, v in one.items()
                             if k not in ("losses", "look")}  # fmt: skip
                    print(name, how, json.dumps(short), flush=True)
        figures = {"browser": f"Chromium {browser.version}", "runs": runs}
    if tuple(args.starts) == STARTS and not args.only:
        common.keep(args, NAME, figures, [f"{NAME}.py"])
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
