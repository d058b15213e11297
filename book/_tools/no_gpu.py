"""Hide the GPUs, so that what is stored was computed on a CPU.

A GPU rounds differently. The notebooks' stored outputs, and what the tests ask
of them, are those of a CPU, on every machine.
"""

import os


def hide_gpus() -> None:
    """Hide them from torch in this process and in those that it starts.

    Call it before torch asks for its first GPU; later it changes nothing. It
    says nothing of other accelerators: nothing here asks torch for one.
    """
    # Not "": on Windows that takes the variable away.
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
