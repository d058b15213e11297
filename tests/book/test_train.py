"""The trainer of "Train one yourself", beside the library and torch."""

import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import trainer
from docutils import nodes
from docutils.utils import new_document
from torch import nn
from torch.nn import functional as F

from transformer_lib.label_smoothing import smooth_targets
from transformer_lib.masks import causal_mask
from transformer_lib.model import Transformer, TransformerConfig

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from tables import in_page  # noqa: E402
from variants import no_norm, no_positions, no_residual, unscaled  # noqa: E402

TRAIN = ROOT / "book" / "_static" / "train"
RESULTS = ROOT / "benchmarks" / "results" / "train_in_page.json"
PARTS = """parts random matrix operations attention model adam tasks run
    presets""".split()
BASE = {
    "task": "backwards",
    "width": 8,
    "inner": 13,
    "layers": 2,
    "heads": 2,
    "batch": 3,
    "rate": 0.01,
    "warmUp": 4,
    "smoothing": 0,
    "positions": True,
    "causal": True,
    "scaled": True,
    "residual": True,
    "norm": "pre",
}
SETTINGS = [
    BASE | change
    for change in (
        {},
        {"norm": "post"},
        {"norm": "none"},
        {"residual": False},
        {"residual": False, "norm": "none"},
        {"causal": False},
        {"scaled": False},
        {"positions": False},
        {"heads": 1},
        {"smoothing": 0.1},
        {"task": "dice"},
        {"task": "sort", "layers": 1},
    )
]
UPDATES, LETTERS = 10, 11
# For each setting: weights that are no zeros and ones, a batch, its losses
# and gradients, and the weights after some updates on it.
LEARN = """
const { numbers, settings, updates } = given;
Train.Numbers = globalThis[numbers];
const all = (of) => Object.fromEntries(Object.entries(of)
  .map(([name, one]) => [name, [...one]]));
const values = (run) => all(Object.fromEntries(
  Object.entries(run.model.parameters).map(([name, one]) =>
    [name, one.values])));
tell(settings.map((setting) => {
  const run = new Train.Run(setting, 3), random = Train.randomNumbers(4);
  for (const [name, one] of Object.entries(run.model.parameters)) {
    if (name.endsWith("bias") || name.includes("norm")) {
      one.values.forEach((x, i) => {
        one.values[i] = x + 0.3 * Train.normal(random);
      });
    }
  }
  const before = values(run);
  const batch = Train.batch(setting.task, setting.batch, random);
  const { loss, plain, practice } = run.learn(batch);
  const grads = all(Object.fromEntries(Object.entries(run.model.parameters)
    .map(([name, one]) => [name, one.grad()])));
  for (let n = 1; n < updates; n++) run.learn(batch);
  return { batch, before, loss, plain, practice, grads, after: values(run) };
}));
"""


@pytest.fixture(autouse=True)
def in_double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def in_node(folder, script, given, changed=lambda text: text):
    """Run the trainer's parts and a script; return what that tells."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    (folder / "given.json").write_text(json.dumps(given), "utf-8")
    sources = [(TRAIN / f"{one}.js").read_text("utf-8") for one in PARTS]
    text = "\n".join(
        [
            "globalThis.window = globalThis;",
            changed("\n".join(sources)),
            "const given = JSON.parse("
            'require("fs").readFileSync("given.json"));',
            "const tell = (it) => console.log(JSON.stringify(it));",
            script,
        ]
    )
    (folder / "script.js").write_text(text, "utf-8")
    told = subprocess.run(
        [node, "script.js"], cwd=folder, capture_output=True, check=True
    )
    return json.loads(told.stdout)


def learned(folder, numbers, changed=lambda text: text):
    """Return for each of `SETTINGS` what the trainer tells."""
    given = {"numbers": numbers, "settings": SETTINGS, "updates": UPDATES}
    return in_node(folder, LEARN, given, changed)


class Small(nn.Module):
    """The same model, of the library's layers."""

    def __init__(self, setting):
        super().__init__()
        config = TransformerConfig(
            LETTERS,
            d_model=setting["width"],
            n_heads=setting["heads"],
            d_ff=setting["inner"],
            n_layers=setting["layers"],
            dropout=0.0,
            norm_first=setting["norm"] != "post",
        )
        self.whole = Transformer(config)
        self.output = nn.Linear(setting["width"], LETTERS)
        self.causal = setting["causal"]
        switched = {
            no_positions: setting["positions"],
            unscaled: setting["scaled"],
            no_norm: setting["norm"] != "none",
            no_residual: setting["residual"],
        }
        for change, on in switched.items():
            if not on:
                change(self.whole)

    def named(self):
        """Return the parameters by the trainer's names."""
        found = {
            f"output.{k}": v for k, v in self.output.named_parameters()
        } | {
            name.removeprefix("encoder."): one
            for name, one in self.whole.named_parameters()
            if name.startswith("encoder.")
        }
        found["embedding.weight"] = self.whole.source_embedding.weight
        return found

    def forward(self, ids):
        x = self.whole.positions(self.whole.source_embedding(ids))
        mask = causal_mask(ids.shape[1]) if self.causal else None
        for layer in self.whole.encoder.layers:
            x = layer(x, mask)
        return self.output(self.whole.encoder.norm(x))


def turned(name, values, like):
    """Bring values of the trainer into the shape of the library's."""
    # JSON has no NaN; where a bug makes one, it must not pass for a number.
    numbers = [float("nan") if x is None else x for x in values]
    tensor = torch.tensor(numbers)
    if like.ndim == 2 and name != "embedding.weight":
        return tensor.view(like.shape[::-1]).T
    return tensor.view(like.shape)


def of_torch(setting, told):
    """Return losses, gradients and later weights, all in double."""
    net = Small(setting)
    named = net.named()
    with torch.no_grad():
        for name, one in named.items():
            one.copy_(turned(name, told["before"][name], one))
    batch = told["batch"]
    ids = torch.tensor(batch["ids"]).view(batch["B"], -1)
    targets = torch.tensor(batch["targets"])
    wanted = smooth_targets(
        targets[targets >= 0], LETTERS, float(setting["smoothing"])
    )
    adam = torch.optim.Adam(named.values(), betas=(0.9, 0.98), eps=1e-9)
    found = {}
    for n in range(1, UPDATES + 1):
        logits = net(ids).flatten(0, 1)[targets >= 0]
        loss = F.cross_entropy(logits, wanted)
        adam.zero_grad()
        loss.backward()
        if n == 1:
            plain = F.cross_entropy(logits, targets[targets >= 0])
            right = logits.argmax(-1) == targets[targets >= 0]
            found |= {
                "loss": loss.item(),
                "plain": plain.item(),
                "practice": right.double().mean().item(),
                "grads": {
                    name: torch.zeros_like(one)
                    if one.grad is None
                    else one.grad.clone()
                    for name, one in named.items()
                },
            }
        rate = setting["rate"] * min(1, n / setting["warmUp"])
        adam.param_groups[0]["lr"] = rate
        adam.step()
    return found | {"after": {k: v.detach() for k, v in named.items()}}


@cache
def wanted(told):
    """Return torch's answer to what the trainer told of its settings."""
    return [
        of_torch(setting, one)
        for setting, one in zip(SETTINGS, json.loads(told), strict=True)
    ]


# Its gradient is 0 but for rounding, of which Adam makes steps.
KEY_BIAS, STEPS = "k_proj.bias", 1e-6


def differences(told, near, later):
    """Return what differs from torch, as (place, what).

    Args:
        told: of the trainer, for each of `SETTINGS`.
        near: how much may differ, of the tensor's largest entry.
        later: whether weights after the updates count, and key biases.
    """
    starts = [{"batch": one["batch"], "before": one["before"]} for one in told]
    found = []
    for n, (one, right) in enumerate(
        zip(told, wanted(json.dumps(starts)), strict=True)
    ):
        for name in ("loss", "plain", "practice"):
            if one[name] != pytest.approx(right[name], rel=near, abs=near):
                found.append((n, name))
        for what in ("grads", "after") if later else ("grads",):
            for name, tensor in right[what].items():
                if name not in one[what]:
                    continue
                if KEY_BIAS in name and not later:
                    continue
                mine = turned(name, one[what][name], tensor)
                most = near * tensor.abs().max()
                if KEY_BIAS in name:
                    most = STEPS
                if not (mine - tensor).abs().max() <= most:
                    found.append((n, f"{what} {name}"))
    return found


@pytest.mark.parametrize(
    "numbers, near, later",
    [("Float64Array", 1e-9, True), ("Float32Array", 1e-4, False)],
)
def test_it_learns_as_the_library_does(tmp_path, numbers, near, later):
    told = learned(tmp_path, numbers)
    names = set(Small(BASE).named())
    assert names == set(told[0]["grads"])
    assert differences(told, near, later) == []


BUGS = {  # a mistake in each operation
    "linear forward": ("y.values.set(b.values, i * n)", "0"),
    "linear to x": (
        "transposed(W), [x.rows, n, k]",
        "W.values, [x.rows, n, k]",
    ),
    "linear to W": ("[k, x.rows, n], 1, k)", "[k, x.rows - 1, n], 1, k)"),
    "linear to b": ("down[i % n] += g[i]", "down[i % n] = g[i]"),
    "product": ("p = whole; p < k;", "p = whole; p < k - 1;"),
    "add forward": ("x.values[i] + y.values[i]", "x.values[i]"),
    "add back": ("q[i] += g[i];", "q[i] += 2 * g[i];"),
    "relu back": ("if (x.values[i] > 0) p[i]", "p[i]"),
    "embed scale": ("down[ids[i] * d + j] += g[i * d + j] * scale",
                    "down[ids[i] * d + j] += g[i * d + j]"),
    "embed places": ("% places.length]", "% d]"),
    "norm variance": ("** 2 / d", "** 2 / (d - 1)"),
    "norm to weight": ("* normal[o + j];\n        toBias", ";\n        toBias"),
    "norm back": ("t - mean - normal[o + j] * along", "t - mean"),
    "loss smoothing": ("smoothing / V + (j", "0 + (j"),
    "loss counted": ("- wanted) / counted", "- wanted) / targets.length"),
    "plain loss": ("return { plain, loss:", "return { plain: spread, loss:"),
    "softmax": ("shares[o + j] / sum", "shares[o + j] / (sum + 0.1)"),
    "attention mask": ("causal ? i + 1 : T", "causal ? i : T"),
    "attention root": ("1 / Math.sqrt(K) : 1", "1 / Math.sqrt(d) : 1"),
    "attention switch": ("scale = scaled ?", "scale = true ?"),
    "attention heads": ("b * T * d + h * K", "b * T * d"),
    "attention to v": ("+= share * g[query + c]", "+= g[query + c]"),
    "attention to q": ("(toShare[j] - mean) * scale", "toShare[j] * scale"),
    "attention to k": ("toK[key + c] += t * q", "toK[key + c] -= t * q"),
    "block post-norm": ('norm === "post" ? this', 'norm === "pre" ? this'),
    "block residual": ("residual ? add(tape, x, y) : y", "add(tape, x, y)"),
    "last norm": ('if (norm === "pre") x =', "if (false) x ="),
    "sines": ("10000 ** (j / d)", "10000 ** (j / d / 2)"),
    "adam moments": ("(1 - BETA2) * g[i] * g[i]", "(1 - BETA2) * g[i]"),
    "adam whole": ("1 - BETA1 ** this.updates", "1"),
    "warm-up": ("Math.min(1, update", "Math.min(1, 1 + update"),
    "clear": ("one.gradient?.fill(0)", "0"),
    "practice": ("found = j;", "found = 0;"),
}  # fmt: skip


@pytest.mark.parametrize("name", BUGS)
def test_a_mistake_in_an_operation_is_noticed(tmp_path, name):
    right, wrong = BUGS[name]

    def planted(text):
        assert text.count(right) == 1, (name, text.count(right))
        return text.replace(right, wrong)

    told = learned(tmp_path, "Float64Array", planted)
    assert differences(told, 1e-9, True)


JUDGE = """
const name = given;
const run = (off) => {
  const changes = off ? Train.PRESETS[name].off : {};
  const one = new Train.Run(Train.settingOf(name, changes), 0), told = [];
  for (let n = 0; n < one.setting.updates; n++) told.push(one.update());
  const mean = (key) => told.slice(-20)
    .reduce((sum, now) => sum + now[key], 0) / 20;
  return { ...one.judge(200), practice: mean("practice"),
    plain: mean("plain") };
};
tell({ on: [run(false)], off: [run(true)] });
"""
TEXTS = (TRAIN / "texts.js").read_text("utf-8")
EXPERIMENTS = ("positions", "mask", "dice", "depth", "warmup", "smoothing")


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_shows_what_the_page_says(tmp_path, name):
    """One start of each, in Node; five in Chromium are stored."""
    runs = in_node(tmp_path, JUDGE, name)
    assert in_page.holds(name, runs) == 1


WHY = """
const trained = (name, changes) => {
  const one = new Train.Run(Train.settingOf(name, changes), 0);
  for (let n = 0; n < one.setting.updates; n++) one.update();
  return one;
};
const drawn = Train.randomNumbers(5e5);
const fresh = (task) =>
  Array.from({ length: 200 }, () => Train.sample(task, drawn).asked);
/* With letters on the right that are no answer: does it repeat them? */
const repeats = (one) => fresh(one.setting.task).flatMap((asked) => {
  const after = fresh("backwards")[0], T = asked.length;
  const ids = [...asked, Train.LETTERS, ...after.slice(0, -1)];
  const { scores } = one.model.forward(null, ids, 1), V = scores.columns;
  return after.slice(0, -1).map((letter, n) => {
    const row = [...scores.values.slice((T + n) * V, (T + n + 1) * V)];
    return Number(row.indexOf(Math.max(...row)) === letter);
  });
});
const share = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;
const blind = trained("positions", { positions: false });
const lines = fresh("backwards"), written = blind.write(lines);
tell({
  fromTheLine: share(lines.flatMap((asked, i) =>
    written[i].map((letter) => Number(asked.includes(letter))))),
  byChance: share(lines.map((asked) => new Set(asked).size / 10)),
  mask: share(repeats(trained("mask", {}))),
  noMask: share(repeats(trained("mask", { causal: false }))),
  dice: share(repeats(trained("dice", { causal: false }))),
});
"""


@pytest.mark.slow
def test_the_reasons_that_the_page_gives_hold(tmp_path):
    """Letters of the line without positions; a look to the right."""
    told = in_node(tmp_path, WHY, None)
    assert told["fromTheLine"] > 0.95 > 0.6 > told["byChance"]
    assert told["noMask"] > 2 * told["mask"]
    assert told["dice"] > 0.95


def test_the_page_claims_only_what_five_of_five_starts_have_shown(tmp_path):
    stored = json.loads(RESULTS.read_text("utf-8"))["runs"]
    script = (
        "tell(Object.entries(Train.PRESETS).filter(([, one]) => one.judged)"
        ".map(([name, one]) => [name, one.judged]));"
    )
    judged = dict(in_node(tmp_path, script, None))
    assert set(judged) == set(stored) == set(EXPERIMENTS)
    for name, runs in stored.items():
        assert judged[name] == in_page.JUDGED.get(name, "letters")
        assert [one["seed"] for one in runs["on"]] == [0, 1, 2, 3, 4]
        assert in_page.holds(name, runs) == 5, name


def test_lessons_name_the_experiments_as_the_page_does(tmp_path):
    script = (
        "tell(Object.entries(Train.TEXTS).filter(([, one]) => one.guesses)"
        ".map(([name, one]) => [one.name, name]));"
    )
    named = in_node(tmp_path, script, None, lambda text: text + TEXTS)
    assert dict(named) == {
        name: key for name, (key, *_) in trainer.EXPERIMENTS.items()
    }


def test_a_link_to_no_experiment_fails_the_build(caplog):
    """And one to an experiment becomes a card, and an address."""
    linked = [
        nodes.reference("", text, refuri="../book/train.html")
        for text in ("Train one yourself: Dice", "Train one yourself: Mice")
    ]
    page = nodes.section("", *(nodes.paragraph("", "", one) for one in linked))
    document = new_document("a page")
    document += page
    document.settings.env = SimpleNamespace(docname="chapters/a", app=None)
    trainer.Cards(document).run()
    assert [one["name"] for one in page.findall(trainer.train)] == ["Dice"]
    assert linked[0]["refuri"] == "../book/train.html#experiment=dice"
    assert linked[1]["refuri"] == "../book/train.html"
    assert "'Mice' is no experiment of the trainer" in caplog.text


def test_what_smoothing_leaves_is_right():
    """The page says that the answers stay."""
    runs = json.loads(RESULTS.read_text("utf-8"))["runs"]["smoothing"]
    for on, off in zip(runs["on"], runs["off"], strict=True):
        assert off["letters"] >= on["letters"] - 0.05


def test_a_claim_is_not_made_for_runs_that_lie_near():
    near = [{"letters": 0.9, "practice": 0.1, "plain": 1.0}]
    far = [{"letters": 0.5, "practice": 0.5, "plain": 1.1}]
    for name in EXPERIMENTS:
        assert in_page.holds(name, {"on": near, "off": far}) == 1
        assert in_page.holds(name, {"on": near, "off": near}) == 0
        assert in_page.holds(name, {"on": far, "off": near}) == 0
