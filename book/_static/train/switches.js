/* The machine, whose parts are the switches. */
(function (Train) {
  "use strict";

  const { el } = Live;
  const LEFT = "left", LOOP = "loop", RIGHT = "right", TRAINING = "training";
  // In the order of the data; a name that is no switch stands for itself.
  const PLACES = [
    [LEFT, "letters"], [LEFT, "embedding"], [LEFT, "positions"],
    [LOOP, "attention"], [LOOP, "heads"], [LOOP, "causal"], [LOOP, "scaled"],
    [LOOP, "feed-forward"], [LOOP, "residual"], [LOOP, "norm"],
    [RIGHT, "next letter"],
    [TRAINING, "warmUp"], [TRAINING, "smoothing"],
  ];

  const WIDE = 600; // pixels; below it the machine is folded
  const row = (...parts) => el("div", { class: "train-row-of" }, ...parts);

  class Switches {
    /** onchange gets a part and its new value. */
    constructor(onchange) {
      this.onchange = onchange;
      this.controls = {};
      const group = (place) => PLACES.filter(([where]) => where === place)
        .map(([, part]) => this.make(part));
      this.element = el("details", { class: "train-machine",
        open: innerWidth > WIDE },
      el("summary", {}, "The machine: its parts are the switches"),
      row(...group(LEFT)),
      el("div", { class: "train-layer" }, this.make("layers"),
        ...group(LOOP)),
      row(...group(RIGHT), el("div", { class: "train-training" },
        el("span", {}, "in training"), ...group(TRAINING))));
    }

    make(part) {
      const options = Train.SWITCHES[part];
      if (!options) return el("span", { class: "train-part" }, part);
      return options.length === 2 && typeof options[0] === "boolean"
        ? this.toggle(part) : this.list(part, options);
    }

    toggle(part) {
      const button = el("button", { type: "button", role: "switch",
        class: "train-part train-switch",
        onclick: () => this.onchange(part,
          button.getAttribute("aria-checked") !== "true") },
      Train.PARTS[part], " ", el("b", {}));
      this.controls[part] = (value) => {
        button.setAttribute("aria-checked", String(value));
        button.lastChild.textContent = Train.valueOf(part, value);
        return button;
      };
      return button;
    }

    list(part, options) {
      const select = el("select", { onchange: () =>
        this.onchange(part, options[select.selectedIndex]) },
      ...options.map((value) =>
        el("option", {}, Train.valueOf(part, value))));
      const label = el("label", { class: "train-part train-switch" },
        Train.PARTS[part], " ", select);
      this.controls[part] = (value) => {
        select.selectedIndex = options.indexOf(value);
        return label;
      };
      return label;
    }

    /** Show a setting; the parts that the experiment is about are marked. */
    set(setting, name) {
      const about = Object.keys(Train.PRESETS[name].off);
      const usual = Train.settingOf(name);
      for (const [part, show] of Object.entries(this.controls)) {
        const { classList } = show(setting[part]);
        classList.toggle("train-about", about.includes(part));
        classList.toggle("train-changed", setting[part] !== usual[part]);
      }
    }
  }

  Train.Switches = Switches;
})(globalThis.Train);
