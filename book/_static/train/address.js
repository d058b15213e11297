/* The setting as the part of an address after #. Nothing in it is trusted:
   what is not on the lists is ignored. */
(function (Train) {
  "use strict";

  const MOST = 999; // the highest start

  /** Return the address of a state: experiment, changes, start. */
  function toAddress({ name, changes, seed }) {
    const fields = new URLSearchParams({ experiment: name });
    const usual = Train.settingOf(name);
    for (const [part, value] of Object.entries(changes)) {
      if (value !== usual[part]) fields.set(part, String(value));
    }
    fields.set("start", seed);
    return `#${fields}`;
  }

  /** Read such an address; null if it names no experiment. */
  function fromAddress(hash) {
    const fields = new URLSearchParams(hash.replace(/^#/, ""));
    const name = fields.get("experiment");
    if (!Object.hasOwn(Train.PRESETS, name ?? "")) return null;
    const changes = {};
    for (const [part, options] of Object.entries(Train.SWITCHES)) {
      const value = options.find((one) => String(one) === fields.get(part));
      if (value !== undefined) changes[part] = value;
    }
    const seed = Number(fields.get("start") ?? 0);
    const known = Number.isInteger(seed) && seed >= 0 && seed <= MOST;
    return { name, changes, seed: known ? seed : 0 };
  }

  Object.assign(Train, { toAddress, fromAddress, MOST_START: MOST });
})(globalThis.Train);
