"""In a notebook's kernel: note which cells touch the global random state.

run_notebooks.py has each kernel run this file before the first cell. For each
cell a line goes to the file that RANDOM_STATES names: "untouched"; "seeded",
if the cell set the state before it drew from it; else "drawn", and then what
it shows depends on all that was drawn before.
"""


def watch(shell, path):
    """Note the random states before and after each cell of a shell."""
    import functools
    import pickle
    import random
    import sys

    at_start = {}  # the state of each module, until it is seeded
    was_seeded = set()

    def state(name):
        module = sys.modules.get(name)
        if name == "random":
            return random.getstate()
        if name == "torch" and module:
            return module.get_rng_state().numpy().tobytes()
        return pickle.dumps(module.get_state()) if module else None

    seeds = {"random": "seed", "numpy.random": "seed", "torch": "manual_seed"}

    def noting(name, seed):
        @functools.wraps(seed)
        def seeding(*args, **kwargs):
            if name in at_start and state(name) == at_start[name]:
                was_seeded.add(name)
            return seed(*args, **kwargs)

        seeding.noted = True
        return seeding

    def before_cell(info):
        was_seeded.clear()
        for name, seed in seeds.items():
            module = sys.modules.get(name)
            found = getattr(module, seed, None)
            if found and not hasattr(found, "noted"):
                setattr(module, seed, noting(name, found))
        at_start.update({name: state(name) for name in seeds})

    def after_cell(result):
        touched = {name for name in seeds if state(name) != at_start[name]}
        touched |= was_seeded
        word = "drawn" if touched - was_seeded else "seeded"
        with open(path, "a", encoding="utf-8") as file:
            file.write((word if touched else "untouched") + "\n")

    shell.events.register("pre_run_cell", before_cell)
    shell.events.register("post_run_cell", after_cell)


watch(get_ipython(), __import__("os").environ["RANDOM_STATES"])
del watch
