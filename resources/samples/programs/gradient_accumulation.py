# SPDX-License-Identifier: GPL-3.0-or-later
# gradient_accumulation.cpp as a script of Hugging Face Accelerate; the manual compares both (migration.md).
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.nn.Linear(2, 32)
        self.last = torch.nn.Linear(32, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.hidden(x)))


def points(count, seed=1):
    generator = torch.Generator().manual_seed(seed)
    x = torch.rand(count, 2, generator=generator) * 4 - 2
    label = (x.pow(2).sum(1) < 1.5).long()
    return TensorDataset(x, label)


def sample():
    accelerator = Accelerator(gradient_accumulation_steps=4)
    set_seed(7)

    net = Net()
    model = accelerator.prepare(net)
    optimizer = accelerator.prepare(torch.optim.SGD(net.parameters(), lr=0.1))
    loader = accelerator.prepare(DataLoader(points(1000), batch_size=20))

    micro_batches, updates = 0, 0
    for x, label in loader:
        with accelerator.accumulate(model):
            accelerator.backward(cross_entropy(model(x), label))
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                updates += 1
            optimizer.step()
            optimizer.zero_grad()
            micro_batches += 1
    accelerator.print(f"{micro_batches} micro-batches, {updates} updates")
    return updates == (micro_batches + 3) // 4


if __name__ == "__main__":
    raise SystemExit(0 if sample() else 1)
