"""Sentence embeddings of encoders: the mean of the last hidden states over attended tokens, as a vector of length 1.

    python embeddings.py [--out DIR]               small models with random weights
    python embeddings.py --out DIR --model FOLDER  of a pre-trained model, e.g. all-MiniLM-L6-v2, with its tokenizer

One folder per case: config.json and weights as save_pretrained writes them, expected.safetensors.
"""
import argparse, pathlib, shutil

import torch, transformers
from safetensors.torch import save_file

TEXTS = ["The cat sits on the mat.", "A feline rests on a rug.", "Gradients are averaged over all ranks.", "", "Zürich, 東京 and São Paulo",
         "a " * 300]


def embed(model, ids, mask):
    with torch.no_grad():
        states = model(input_ids=ids, attention_mask=mask).last_hidden_state
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1e-9)
    return torch.nn.functional.normalize(mean, dim=-1)


def save(model, folder, ids, mask):
    model.eval()
    save_file({"input_ids": ids.contiguous(), "attention_mask": mask.contiguous(), "embeddings": embed(model, ids, mask)},
              folder / "expected.safetensors")


def small(out):
    sizes = dict(vocab_size=200, max_position_embeddings=40)
    bert = dict(sizes, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
    for name, kind, config in [("bert", "Bert", bert), ("roberta", "Roberta", dict(bert, type_vocab_size=1)),
                               ("distilbert", "DistilBert", dict(sizes, dim=32, n_layers=2, n_heads=4, hidden_dim=64))]:
        torch.manual_seed(7)
        model = getattr(transformers, kind + "Model")(getattr(transformers, kind + "Config")(**config))
        folder = out / name
        shutil.rmtree(folder, ignore_errors=True)
        model.save_pretrained(folder)
        ids = torch.randint(3, 200, (4, 17))
        mask = torch.ones_like(ids)
        for row in range(1, 4):
            mask[row, 17 - 3 * row:] = 0
        ids[mask == 0] = model.config.pad_token_id
        save(model, folder, ids, mask)


def pretrained(out, source):
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(source / "tokenizer.json"), pad_token="[PAD]")
    batch = tokenizer(TEXTS, padding=True, truncation=True, max_length=128, return_tensors="pt")
    folder = out / source.name
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "model.safetensors"):
        shutil.copy(source / name, folder / name)
    save(transformers.AutoModel.from_pretrained(source, dtype=torch.float32, attn_implementation="eager"), folder,
         batch["input_ids"], batch["attention_mask"])


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "embeddings")
    arguments.add_argument("--model", type=pathlib.Path)
    given = arguments.parse_args()
    if given.model:
        pretrained(given.out, given.model)
    else:
        small(given.out)
