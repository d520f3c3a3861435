# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny wav2vec 2.0 models with logits, loss, gradients and five steps of pre-training, as models.py makes them.

    python speech_models.py [--out DIR] [--spec CASES.json] [--only WORD]

Losses are means over the masked frames. In training codes are drawn with the numbers of engine/base/philox.h (seed 0,
step 0), so that other programs can draw the same ones. expected.safetensors has the mask of frames as attention_mask,
masked frames as labels (0; others -100) and negatives as frames of their own recording.
"""
import json

import numpy, torch
from artifact import arguments
from safetensors.torch import load_file
from transformers.models.wav2vec2.modeling_wav2vec2 import (
    Wav2Vec2ForPreTraining, _compute_mask_indices, _sample_negative_indices)

import models

NEVER = -1e4                         # stands for -inf in logits
NONE = dict(hidden_dropout=0.0, activation_dropout=0.0, attention_dropout=0.0, feat_proj_dropout=0.0,
            feat_quantizer_dropout=0.0, layerdrop=0.0)
DEFAULT = [
    dict(name="stable", task="speech", eps=1e-3, batch=3, samples=1500, seed=91, masked=True, model="Wav2Vec2ForPreTraining",
         config=dict(NONE, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40,
                     conv_dim=[12, 16, 20], conv_kernel=[10, 3, 2], conv_stride=[5, 4, 2], feat_extract_norm="layer",
                     do_stable_layer_norm=True, num_conv_pos_embeddings=6, num_conv_pos_embedding_groups=3,
                     num_codevectors_per_group=10, num_codevector_groups=2, codevector_dim=12, proj_codevector_dim=14,
                     num_negatives=8, mask_time_length=4, mask_time_prob=0.6, diversity_loss_weight=0.4)),
    dict(name="group_norm", task="speech", eps=1e-3, batch=2, samples=900, seed=92, model="Wav2Vec2ForPreTraining",
         config=dict(NONE, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
                     conv_dim=[8, 12], conv_kernel=[8, 4], conv_stride=[6, 3], conv_bias=True, feat_extract_norm="group",
                     feat_extract_activation="relu", hidden_act="gelu_new", do_stable_layer_norm=False,
                     num_conv_pos_embeddings=5, num_conv_pos_embedding_groups=2, num_codevectors_per_group=6,
                     num_codevector_groups=1, codevector_dim=8, proj_codevector_dim=8, num_negatives=5,
                     mask_time_length=3, mask_time_prob=0.5, contrastive_logits_temperature=0.2)),
]


def philox(seed, purpose, a, b, positions):
    """[positions, 4] words of base/philox.h."""
    k0, k1 = seed & 0xFFFFFFFF, (seed >> 32) ^ (purpose * 0x85EBCA6B & 0xFFFFFFFF)
    positions = numpy.asarray(positions, dtype=numpy.uint64)
    low = numpy.uint64(0xFFFFFFFF)
    c = [positions & low, positions >> numpy.uint64(32), numpy.full_like(positions, a), numpy.full_like(positions, b)]
    for _ in range(10):
        p0, p1 = numpy.uint64(0xD2511F53) * c[0], numpy.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> numpy.uint64(32)) ^ c[1] ^ numpy.uint64(k0), p1 & low,
             (p0 >> numpy.uint64(32)) ^ c[3] ^ numpy.uint64(k1), p0 & low]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return numpy.stack(c, axis=1)


def even_numbers(rows, elements, place):
    """fp32 [rows, elements]: counter_uniform() of models/nn/kernels/dropout.h."""
    positions = numpy.arange((elements + 3) // 4, dtype=numpy.uint64)
    words = [philox(0, 2, 0, place, (numpy.uint64(row) << numpy.uint64(32)) + positions).reshape(-1)[:elements]
             for row in range(rows)]
    bits = (numpy.stack(words) >> numpy.uint64(9)).astype("float32")
    return torch.from_numpy((bits + numpy.float32(0.5)) * numpy.float32(2.0 ** -23))


class Result(dict):
    __getattr__ = dict.__getitem__


def forward(self, **inputs):
    """The loss as a mean, and the logits that transformers does not return."""
    masked = inputs["mask_time_indices"].bool()
    rows, frames = masked.shape
    config = self.config
    place = 2 + 5 * config.num_hidden_layers + 1
    even = even_numbers(rows, frames * config.num_codevector_groups * config.num_codevectors_per_group, place)
    drawn = torch.Tensor.exponential_
    torch.Tensor.exponential_ = lambda tensor: tensor.copy_(-even.log().view(tensor.shape))
    chosen = []
    hook = self.project_q.register_forward_pre_hook(lambda module, given: chosen.append(given[0].detach()))
    result = FORWARD(self, **inputs)
    torch.Tensor.exponential_ = drawn
    hook.remove()
    codes, found = result.projected_quantized_states, chosen[0]
    negatives = inputs["sampled_negative_indices"].view(-1)
    others = codes.view(-1, codes.shape[-1])[negatives].view(rows, frames, -1, codes.shape[-1])
    same = (others == codes.unsqueeze(2)).all(-1)
    # A code that is drawn has the weight 1 up to rounding: equal codes must not differ by that in these cases.
    pairs = found.view(-1, found.shape[-1])[negatives].view(rows, frames, -1, found.shape[-1])
    near = (pairs - found.unsqueeze(2)).abs().amax(-1) < 1e-5
    assert bool((near == same)[masked].all()), "equal codes that differ by rounding: take another seed"
    targets = torch.cat([codes.unsqueeze(2), others], dim=2)
    logits = torch.cosine_similarity(result.projected_states.unsqueeze(2).float(), targets.float(), dim=-1)
    logits = logits / config.contrastive_logits_temperature
    logits[:, :, 1:][same] = NEVER
    return Result(loss=result.loss / masked.sum(), logits=logits.detach())


def make_inputs(case, config):
    generator = torch.Generator().manual_seed(case["seed"] + 2000)
    rows, samples = case["batch"], case["samples"]
    sound = torch.randn(rows, samples, generator=generator)
    lengths = torch.tensor([samples - 170 * row if case.get("masked") else samples for row in range(rows)])
    mask = (torch.arange(samples)[None] < lengths[:, None]).long()
    inputs = dict(input_values=sound * mask)
    frames = BUILT[0]._get_feat_extract_output_lengths(samples)
    reduced = None
    if case.get("masked"):
        inputs["attention_mask"] = mask
        reduced = BUILT[0]._get_feature_vector_attention_mask(int(frames), mask)
    numpy.random.seed(case["seed"])
    masked = _compute_mask_indices((rows, int(frames)), config.mask_time_prob, config.mask_time_length,
                                   attention_mask=reduced, min_masks=2)
    inputs["sampled_negative_indices"] = torch.from_numpy(
        _sample_negative_indices((rows, int(frames)), config.num_negatives, masked)).long()
    inputs["mask_time_indices"] = torch.from_numpy(masked).long()
    return inputs


BUILT = []                           # the model that make_inputs() asks for lengths


def build(case):
    BUILT[:] = [BUILD(case)]
    return BUILT[0]


def as_tensors(inputs):
    stored = dict(input_values=inputs["input_values"])
    masked = inputs["mask_time_indices"].bool()
    rows, frames = masked.shape
    stored["labels"] = torch.zeros_like(masked, dtype=torch.long).masked_fill(~masked, -100)
    offsets = torch.arange(rows)[:, None, None] * frames
    stored["sampled_negative_indices"] = (inputs["sampled_negative_indices"] - offsets).masked_fill(~masked[..., None], 0)
    if "attention_mask" in inputs:
        stored["attention_mask"] = BUILT[0]._get_feature_vector_attention_mask(frames, inputs["attention_mask"]).long()
        stored["sample_mask"] = inputs["attention_mask"]
    return stored


def check(case, folder):
    """Load what was written, as a user would, and compare."""
    tensors = load_file(folder / "expected.safetensors")
    loaded = Wav2Vec2ForPreTraining.from_pretrained(folder, attn_implementation="eager").eval()
    masked = tensors["labels"] == 0
    offsets = torch.arange(masked.shape[0])[:, None, None] * masked.shape[1]
    inputs = dict(input_values=tensors["input_values"], mask_time_indices=masked.long(),
                  sampled_negative_indices=tensors["sampled_negative_indices"] + offsets)
    if "sample_mask" in tensors:
        inputs["attention_mask"] = tensors["sample_mask"]
    with torch.no_grad():
        gap = float((loaded(**inputs).logits - tensors["logits"]).abs().max())
    assert gap < 1e-5, gap
    expected = json.loads((folder / "expected.json").read_text())
    print(case["name"], expected["training"]["losses"], expected["distance_to_fp64"], f"reload {gap:.1e}",
          f"same codes {int((tensors['logits'] == NEVER).sum())}")


BUILD = models.build
FORWARD = Wav2Vec2ForPreTraining.forward
Wav2Vec2ForPreTraining.forward = forward
models.build, models.make_inputs, models.as_tensors, models.check = build, make_inputs, as_tensors, check
models.logits_of = lambda result, inputs: result.logits

if __name__ == "__main__":
    out, cases, only = arguments("speech_models", DEFAULT)
    for case in cases:
        if not only or only in case["name"]:
            models.make(case, out)
