# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that torch.jit.save writes, for model.model_type: torchscript.

    python torchscript.py [--out DIR]
"""
import argparse, pathlib

import torch
from safetensors.torch import save_file


class Mlp(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.first = torch.nn.Linear(2, width)
        self.second = torch.nn.Linear(width, width)
        self.output = torch.nn.Linear(width, 2)

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.first(points))
        return self.output(torch.relu(self.second(hidden)))


class TwoInputs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, points: torch.Tensor, weights_of_points: torch.Tensor) -> torch.Tensor:
        return self.layer(points * weights_of_points)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "torchscript")
    out = arguments.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(5)
    module = Mlp(16)
    torch.jit.save(torch.jit.script(module), out / "mlp.pt")
    torch.jit.save(torch.jit.script(TwoInputs()), out / "two_inputs.pt")
    points, labels = torch.randn(6, 2), torch.tensor([0, 1, 1, 0, 1, 0])
    outputs = module(points)
    loss = torch.nn.functional.cross_entropy(outputs, labels, reduction="sum")
    loss.backward()
    values = {"points": points, "labels": labels, "outputs": outputs.detach(), "loss": loss.detach()}
    for name, parameter in module.named_parameters():
        if parameter.grad is not None:
            values["gradient/" + name] = parameter.grad
    save_file(values, out / "expected.safetensors")
