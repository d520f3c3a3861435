# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers opens the checkpoint of a run with the task speech_pretraining, computes its loss, and the other way round. Not part of the
tests: needs a Python with transformers and numpy.

    python speech.py TRAINYARD

Trains a small wav2vec 2.0 on the sample recordings with one and two processes. Wav2Vec2ForPreTraining and Wav2Vec2FeatureExtractor open
the checkpoint without a missing or unknown weight, and transformers' contrastive loss of the recordings falls from the first step to the
last. A model that transformers saves is what Trainyard continues, without model_type in the recipe.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import wave

import numpy
import torch
from safetensors.torch import load_file
from transformers import Wav2Vec2FeatureExtractor, Wav2Vec2ForPreTraining
from transformers.models.wav2vec2.modeling_wav2vec2 import _compute_mask_indices, _sample_negative_indices

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "resources" / "samples" / "sample-speech.yaml"
TONES = ROOT / "resources" / "samples" / "data" / "tones"
torch.set_num_threads(2)


def recordings():
    for file in sorted(TONES.glob("*.wav")):
        with wave.open(str(file)) as sound:
            yield (numpy.frombuffer(sound.readframes(sound.getnframes()), "uint8").astype("float32") - 128) / 128


def contrastive_loss(model, extractor):
    """Of all recordings, with the same masks for every model."""
    inputs = extractor(list(recordings()), sampling_rate=4000, return_tensors="pt", padding=True, return_attention_mask=True)
    frames = int(model._get_feat_extract_output_lengths(inputs["input_values"].shape[1]))
    reduced = model._get_feature_vector_attention_mask(frames, inputs["attention_mask"])
    numpy.random.seed(1)
    shape = inputs["input_values"].shape[0], frames
    masks = _compute_mask_indices(shape, 0.4, 2, attention_mask=reduced, min_masks=2)
    negatives = _sample_negative_indices(shape, model.config.num_negatives, masks)
    with torch.no_grad():
        made = model(**inputs, mask_time_indices=torch.from_numpy(masks), sampled_negative_indices=torch.from_numpy(negatives))
    return (made.contrastive_loss / masks.sum()).item()


def launch(trainyard, folder, *settings, processes=1):
    words = [trainyard, "launch", "--run_dir", str(folder), "--num_processes", str(processes), "--cpu"]
    for setting in settings:
        words += ["--set", setting]
    done = subprocess.run([*words, str(SAMPLE)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the run failed: {done.stdout}{done.stderr}")
    return max((folder / "checkpoints").glob("checkpoint_*"), key=lambda path: int(path.name.split("_")[1]))


def opened(folder):
    model, notes = Wav2Vec2ForPreTraining.from_pretrained(folder, output_loading_info=True)
    for kind, names in notes.items():
        if names:
            sys.exit(f"{folder}: {kind}: {names}")
    stored = load_file(folder / "model.safetensors")
    own = model.state_dict()
    apart = [name for name, weight in stored.items() if not torch.equal(own[name].float(), weight.float())]
    if apart:
        sys.exit(f"{folder}: other weights than in the file: {apart}")
    extractor = Wav2Vec2FeatureExtractor.from_pretrained(folder)
    if extractor.sampling_rate != 4000 or not extractor.do_normalize:
        sys.exit(f"{folder}: another preprocessor: {extractor}")
    return model.eval(), extractor


def main():
    trainyard = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        steps = ("training.steps=60", "training.evaluate_every=30", "checkpoint.every=60")
        for processes in (1, 2):
            batch = f"training.batch_size={8 // processes}"
            one_step = ("training.steps=1", "schedule.warmup_steps=0", "checkpoint.every=1", "optimizer.lr=1e-9")
            before, _ = opened(launch(trainyard, work / f"start{processes}", batch, *one_step, processes=processes))
            model, extractor = opened(launch(trainyard, work / f"run{processes}", batch, *steps, processes=processes))
            first, last = contrastive_loss(before, extractor), contrastive_loss(model, extractor)
            print(f"{processes} processes: contrastive loss of a frame {first:.3f}, after 60 steps {last:.3f}")
            if not last < first:
                sys.exit("transformers' loss does not fall")
        model.save_pretrained(work / "theirs")
        extractor.save_pretrained(work / "theirs")
        recipe = work / "again.yaml"
        recipe.write_text(json.dumps({
            "model": {"weights": str(work / "theirs")}, "data": {"format": "audio", "path": str(TONES), "max_duration_in_seconds": 0.8},
            "training": {"steps": 1, "batch_size": 4}, "optimizer": {"lr": 1e-12}, "checkpoint": {"every": 1}}))
        done = subprocess.run([trainyard, "launch", "--run_dir", str(work / "again"), "--cpu", str(recipe)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"transformers' folder was refused: {done.stdout}{done.stderr}")
        again, _ = opened(work / "again" / "checkpoints" / "checkpoint_1")
        print(f"transformers' folder, continued with lr 1e-12: contrastive loss {contrastive_loss(again, extractor):.3f}")
        if abs(contrastive_loss(again, extractor) - last) > 1e-5:
            sys.exit("the loss has changed")


if __name__ == "__main__":
    main()
