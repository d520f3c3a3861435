# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers opens the folder that a program writes with save_pretrained(), and computes what the program computed. Not part of the
tests: needs a Python with transformers.

    python pretrained.py BUILD_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file
from transformers import AutoModel


def main():
    program = pathlib.Path(sys.argv[1]) / "tests" / "test_accelerator"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--gtest_filter=Pretrained.AFolder*"], check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"TRAINYARD_KEEP_PRETRAINED": folder, "OMP_NUM_THREADS": "1"})
        expected = load_file(pathlib.Path(folder) / "result.safetensors")["result"]
        (pathlib.Path(folder) / "result.safetensors").unlink()
        model = AutoModel.from_pretrained(folder).eval()
        with torch.no_grad():
            result = model(torch.arange(5).reshape(1, 5)).last_hidden_state
    difference = (result - expected).abs().max().item()
    print(f"{type(model).__name__}: {tuple(result.shape)}, largest difference {difference:.2g}")
    if difference > 1e-6:
        sys.exit("the results differ")


if __name__ == "__main__":
    main()
