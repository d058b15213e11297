"""Keep the code of strangers in its own folder, as far as Linux helps.

`start` is what a process runs before it loads anything else. Four
layers make the sandbox, each where the kernel has it, and it is reported which:

- `namespaces`: no other process is seen, the network is gone, and whatever
  the code starts ends with it;
- `disk`: the folder that can be written to has a quota, and leaves nothing;
- `landlock`: files can be read where Python lies, and be written in one
  folder;
- `seccomp`: no sockets, no shared memory, no signals to others, no change of
  modes and times of files, which Landlock leaves open.

Only the standard library is imported, because the sandbox has to be
there before NumPy starts its threads.
"""

__all__: list[str] = []
