# SPDX-License-Identifier: GPL-3.0-or-later
"""A notebook in a real Jupyter kernel trains with Accelerate on two ranks of `trainyard launch`.

    python prove.py path/to/trainyard [--keep NOTEBOOK.ipynb]

Needs Python with torch, accelerate, nbclient and ipykernel. The cells define model and data, train through
notebook_launcher, look at a rank that fails, and interrupt. Each ends as the same call of accelerate's own launcher does;
the trained weights equal those of accelerate's debug_launcher. --keep saves the executed notebook.
"""
import argparse
import os
import pathlib
import sys
import tempfile
import threading
import time

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
EXISTS = """
accelerator = accelerate.Accelerator(cpu=True)
try:
    notebook_launcher(training_loop, (8, OURS), num_processes=2)
except ValueError as error:
    print(error)
"""


def text_of(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TRAINYARD=str(options.program.resolve()), TRAINYARD_RUNS=f"{folder}/runs", CUDA_VISIBLE_DEVICES="",
                          TRAINYARD_CONFIG=f"{folder}/none.yaml")
        names = f"import sys; sys.path.insert(0, {str(ROOT / 'resources' / 'notebook')!r})\nOURS, THEIRS = {folder + '/ours.pt'!r}, {folder + '/theirs.pt'!r}"
        sources = [names + DEFINE, OURS, THEIRS, FAILS, WAITS, EXISTS]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        client = nbclient.NotebookClient(notebook, timeout=300, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}})

        def interrupt():
            while "waiting" not in text_of(notebook.cells[4]):
                time.sleep(0.2)
            os.kill(client.km.provisioner.pid, 2)

        threading.Thread(target=interrupt, daemon=True).start()
        client.execute()
        if options.keep:
            nbformat.write(notebook, options.keep)
        ours = notebook.cells[1]
        charts = [output["data"]["text/html"] for output in ours.outputs if output.output_type == "display_data" and "text/html" in output["data"]]
        checks = {
            "two ranks train and a run is left": "/runs/" in text_of(ours) and "step 64 loss:" in text_of(ours),
            "the loss curve is shown": any("<polyline" in chart and "loss" in chart for chart in charts),
            "the weights are those of accelerate's launcher": "largest difference 0.0" in text_of(notebook.cells[2]),
            "a rank that fails is named": "rank 1 raised An issue was found when launching the training: KeyError: 'label'" in text_of(notebook.cells[3]),
            "an interrupt ends the ranks only": "interrupted, and the kernel continues" in text_of(notebook.cells[4]),
            "an Accelerator outside is refused": "should only be initialized inside your training function" in text_of(notebook.cells[5]),
        }
        for check, passed in checks.items():
            print("ok    " if passed else "FAILED", check)
        if not all(checks.values()):
            print("\n\n".join(text_of(cell) for cell in notebook.cells))
        return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
