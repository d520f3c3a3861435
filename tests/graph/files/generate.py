# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the models of this folder, and in expected.json what the libraries that wrote them say of them: with torch
2.11 and onnx 1.23. python generate.py [FOLDER]"""

import json
import pathlib
import sys
import warnings
import zipfile

import onnx
import torch
from onnx import TensorProto, helper

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
out = out if out.is_dir() else out.parent
warnings.simplefilter("ignore")
torch.manual_seed(0)


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 2 * width)
        self.down = torch.nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(16, 8)
        self.layers = torch.nn.ModuleList(Block(8) for _ in range(3))
        self.head = torch.nn.Linear(8, 16, bias=False)
        self.register_buffer("scale", torch.ones(1))

    def forward(self, ids):
        x = self.embed(ids) * self.scale
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class Chooses(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos(), (x,))


net = Net().eval()
ids = torch.zeros(2, 4, dtype=torch.long)
expected = {}


def without_paths(text):
    for folder in (pathlib.Path(torch.__file__).parents[1], out):
        text = text.replace(f"{folder}/", "")
    return text


def save(program, name):
    """The archive without the paths of the machine that wrote it."""
    torch.export.save(program, out / name)
    with zipfile.ZipFile(out / name) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(out / name, "w", zipfile.ZIP_STORED) as archive:
        for entry, content in entries:
            if entry.filename.endswith(".json"):
                content = without_paths(content.decode()).encode()
            archive.writestr(zipfile.ZipInfo(entry.filename), content)


def facts_of(program):
    nodes = [node for node in program.graph.nodes if node.op == "call_function"]
    return {
        "nodes": len(nodes),
        "operators": sorted(node.target.__name__.split(".")[0] for node in nodes),
        "parameters": sum(value.numel() for value in program.state_dict.values()),
        "torch": torch.__version__.split("+")[0],
    }


program = torch.export.export(net, (ids,), dynamic_shapes=({0: torch.export.Dim("batch", min=2, max=64)},))
save(program, "blocks.pt2")
expected["blocks.pt2"] = facts_of(program)
program = torch.export.export(Chooses(), (torch.ones(3),))
save(program, "cond.pt2")
expected["cond.pt2"] = {"nodes": 0, "parameters": 0}



@torch.library.custom_op("trainyard_test::twice", mutates_args=())
def twice_op(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice_op.register_fake
def _(x):
    return torch.empty_like(x)


class Custom(torch.nn.Module):
    def forward(self, x):
        return twice_op(x).relu()


save(torch.export.export(Custom(), (torch.ones(2, 3),)), "custom.pt2")

torch.onnx.export(net, (ids,), out / "blocks_legacy.onnx", dynamo=False, input_names=["ids"], output_names=["logits"],
                  dynamic_axes={"ids": {0: "batch"}})
torch.onnx.export(net, (ids,), out / "blocks.onnx", dynamo=True, input_names=["ids"], output_names=["logits"],
                  external_data=False, dynamic_shapes=({0: torch.export.Dim("batch", min=2, max=64)},))

model = onnx.load(out / "blocks.onnx")
for node in model.graph.node:
    for entry in node.metadata_props:
        entry.value = without_paths(entry.value)
onnx.save(model, out / "blocks.onnx")

# An If with graphs that use a value from outside, a function of the model, a Loop's body, sparse and external tensors.
then_graph = helper.make_graph([helper.make_node("Add", ["x", "one"], ["then_out"])], "then", [],
                               [helper.make_tensor_value_info("then_out", TensorProto.FLOAT, [2])])
else_graph = helper.make_graph([helper.make_node("Neg", ["x"], ["else_out"])], "else", [],
                               [helper.make_tensor_value_info("else_out", TensorProto.FLOAT, [2])])
twice = helper.make_function("local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"], name="sum")],
                             [helper.make_opsetid("", 17)])
graph = helper.make_graph(
    [
        helper.make_node("Constant", [], ["one"], value=helper.make_tensor("", TensorProto.FLOAT, [1], [1.0])),
        helper.make_node("Twice", ["x"], ["y"], domain="local", name="first"),
        helper.make_node("Twice", ["y"], ["z"], domain="local", name="second"),
        helper.make_node("If", ["condition"], ["chosen"], then_branch=then_graph, else_branch=else_graph, name="choice"),
        helper.make_node("Add", ["chosen", "far"], ["sum"], name="add"),
        helper.make_node("Mul", ["sum", "z"], ["out"], name=""),
    ],
    "nested",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]), helper.make_tensor_value_info("condition", TensorProto.BOOL, [])],
    [helper.make_tensor_value_info("out", TensorProto.FLOAT, [2])],
    [helper.make_tensor("far", TensorProto.FLOAT, [2], b"\0" * 8, raw=True)],
)
model = helper.make_model(graph, functions=[twice], opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("local", 1)],
                          producer_name="hand")
onnx.checker.check_model(model)
onnx.external_data_helper.set_external_data(model.graph.initializer[0], "nested.bin", offset=0, length=8)
model.graph.initializer[0].ClearField("raw_data")
(out / "nested.onnx").write_bytes(model.SerializeToString())

for name in ("blocks.onnx", "blocks_legacy.onnx", "nested.onnx"):
    model = onnx.load(out / name, load_external_data=False)
    stored = {tensor.name for tensor in model.graph.initializer}
    computed = [node for node in model.graph.node
                if node.op_type != "Constant" and not (node.op_type == "Identity" and node.input[0] in stored)]
    expected[name] = {
        "nodes": len(computed),
        "operators": sorted(node.op_type for node in computed),
        "elements": sum(int(torch.tensor(tensor.dims).prod()) for tensor in model.graph.initializer),
        "initializers": {tensor.name: list(tensor.dims) for tensor in model.graph.initializer},
        "inputs": [value.name for value in model.graph.input],
        "outputs": [value.name for value in model.graph.output],
        "ir_version": model.ir_version,
        "opset": next(one.version for one in model.opset_import if one.domain in ("", "ai.onnx")),
        "bytes": model.ByteSize(),
    }
(out / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")
