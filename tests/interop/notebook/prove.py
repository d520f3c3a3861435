# SPDX-License-Identifier: GPL-3.0-or-later
"""A notebook in a real Jupyter kernel trains with Accelerate on two ranks of `trainyard launch`.

    python prove.py path/to/trainyard [--keep NOTEBOOK.ipynb]

Needs Python with torch, accelerate, nbclient and ipykernel. The cells define model and data, train through
notebook_launcher, look at a rank that fails, interrupt, and restart the kernel. Each ends as the same call of accelerate's own launcher does;
the trained weights equal those of accelerate's debug_launcher. --keep saves the executed notebook.
"""
import argparse
import contextlib
import os
import pathlib
import sys
import tempfile
import threading
import time

import jupyter_client
import nbclient
import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[3]

DEFINE = """
import torch, accelerate, time
torch.manual_seed(7)
data = torch.utils.data.TensorDataset(torch.randn(256, 8), torch.randn(256, 1))

def training_loop(steps, file):
    accelerator = accelerate.Accelerator(cpu=True)
    torch.manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(data, batch_size=16))
    step = 0
    while step < steps:
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            optimizer.step(); optimizer.zero_grad()
            step += 1
            if step % 8 == 0:
                accelerator.print(f"step {step} loss: {accelerator.reduce(loss.detach(), 'mean').item():.6f}", flush=True)
                time.sleep(0.2)
    assert accelerator.num_processes == 2
    if accelerator.is_main_process:
        torch.save(accelerator.unwrap_model(model).state_dict(), file)
"""
OURS = "from trainyard_notebook import notebook_launcher, LaunchError\nrun = notebook_launcher(training_loop, (64, OURS), num_processes=2, use_port='0')\nprint(run)"
AFTER_THREADS = """
# The notebook has computed with two threads: forks of it do not have them.
import logging, os
os.environ['OMP_NUM_THREADS'] = '2'
torch.set_num_threads(2)
matrix = torch.randn(1200, 1200)
product = matrix @ matrix
def computes():
    import logging
    from IPython.display import display
    same = torch.equal(matrix @ matrix, product)
    logging.warning('rank %s has %s threads and the product %s', os.environ['RANK'], torch.get_num_threads(), same)
    display({'shown by': 'a rank'})
logging.basicConfig()
for again in range(2):
    notebook_launcher(computes, num_processes=2, use_port='0')
"""
THEIRS = """
accelerate.debug_launcher(training_loop, (64, THEIRS), num_processes=2)
ours, theirs = torch.load(OURS), torch.load(THEIRS)
print('largest difference', max((ours[name] - theirs[name]).abs().max().item() for name in theirs))
"""
FAILS = """
def fails():
    import os
    if os.environ['RANK'] == '1':
        raise KeyError('label')
    time.sleep(600)
try:
    notebook_launcher(fails, (), num_processes=2, use_port='0')
except LaunchError as error:
    print('rank', error.rank, 'raised', str(error).splitlines()[0])
"""
WAITS = """
def waits():
    print('waiting', flush=True)
    time.sleep(600)
try:
    notebook_launcher(waits, (), num_processes=2, use_port='0')
except KeyboardInterrupt:
    print('interrupted, and the kernel continues')
"""
ENDS = """
notebook_launcher(waits, (), num_processes=2, use_port='0', max_restarts=3)
"""
EXISTS = """
accelerator = accelerate.Accelerator(cpu=True)
try:
    notebook_launcher(training_loop, (8, OURS), num_processes=2)
except ValueError as error:
    print(error)
"""


def text_of(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def processes_of(folder):
    """Processes whose environment names this folder of runs."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"TRAINYARD_RUNS={folder}/runs".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return set(found) - {os.getpid()}


def restart(source, folder):
    """Restarts a kernel while its ranks run. Whether all of them and their launcher end."""
    manager = jupyter_client.KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=folder)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=300)
    client.execute(source)
    printed = ""
    while printed.count("waiting") < 2:
        message = client.get_iopub_msg(timeout=300)
        printed += message["content"]["text"] if message["msg_type"] == "stream" else ""
    running = processes_of(folder)
    manager.restart_kernel(now=True)
    for _ in range(600):
        if processes_of(folder) <= {manager.provisioner.pid}:
            break
        time.sleep(0.1)
    ended = len(running) > 3 and processes_of(folder) <= {manager.provisioner.pid}
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    return ended


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TRAINYARD=str(options.program.resolve()), TRAINYARD_RUNS=f"{folder}/runs", CUDA_VISIBLE_DEVICES="",
                          TRAINYARD_CONFIG=f"{folder}/none.yaml")
        names = f"import sys; sys.path.insert(0, {str(ROOT / 'resources' / 'notebook')!r})\nOURS, THEIRS = {folder + '/ours.pt'!r}, {folder + '/theirs.pt'!r}"
        sources = [names + DEFINE, OURS, THEIRS, FAILS, WAITS, AFTER_THREADS, EXISTS]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        client = nbclient.NotebookClient(notebook, timeout=300, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}})

        def interrupt():
            while "waiting" not in text_of(notebook.cells[4]):
                time.sleep(0.2)
            os.killpg(os.getpgid(client.km.provisioner.pid), 2)  # as Jupyter does

        threading.Thread(target=interrupt, daemon=True).start()
        client.execute()
        if options.keep:
            nbformat.write(notebook, options.keep)
        ends = restart(names + DEFINE + "from trainyard_notebook import notebook_launcher" + WAITS[:WAITS.index("try:")] + ENDS, folder)
        ours = notebook.cells[1]
        charts = [output["data"]["text/html"] for output in ours.outputs if output.output_type == "display_data" and "text/html" in output["data"]]
        checks = {
            "two ranks train and a run is left": "/runs/" in text_of(ours) and "step 64 loss:" in text_of(ours),
            "the loss curve is shown": any("<polyline" in chart and "loss" in chart for chart in charts),
            "the weights are those of accelerate's launcher": "largest difference 0.0" in text_of(notebook.cells[2]),
            "a rank that fails is named": "rank 1 raised An issue was found when launching the training: KeyError: 'label'" in text_of(notebook.cells[3]),
            "an interrupt ends the ranks only": "interrupted, and the kernel continues" in text_of(notebook.cells[4]),
            "ranks compute after the notebook did, with its loggers": text_of(notebook.cells[5]).count("2 threads and the product True") == 4,
            "a rank prints what it displays": text_of(notebook.cells[5]).count("{'shown by': 'a rank'}") == 4,
            "an Accelerator outside is refused": "should only be initialized inside your training function" in text_of(notebook.cells[6]),
            "a kernel that restarts takes its ranks with it": ends,
        }
        for check, passed in checks.items():
            print("ok    " if passed else "FAILED", check)
        if not all(checks.values()):
            print("\n\n".join(text_of(cell) for cell in notebook.cells))
        return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
