# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentence embeddings of encoders: the mean of the last hidden states over attended tokens, as a vector of length 1.

    python embeddings.py [--out DIR]               small models with random weights
    python embeddings.py --out DIR --model FOLDER  of a pre-trained model, e.g. all-MiniLM-L6-v2, with its tokenizer

    python embeddings.py --pairs [--out DIR]       losses and gradients on pairs, of the models that are in DIR

One folder per case: config.json and weights as save_pretrained writes them, expected.safetensors; pairs.safetensors has, for both losses of
sentence-transformers (multiple_negatives_ranking with scale 20, cosine_similarity), the mean loss over four pairs and gradients of some
parameters. The third pair is not counted in the case of labels "some".
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


def pairs(out):
    """As sentence-transformers' MultipleNegativesRankingLoss and CosineSimilarityLoss compute it, on mean pooling."""
    cosine = torch.nn.functional.cosine_similarity
    for folder in sorted(each for each in out.iterdir() if each.is_dir()):
        model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
        torch.manual_seed(11)
        ids = torch.randint(3, 200, (4, 2, 9))
        mask = torch.ones_like(ids)
        for row in range(4):
            mask[row, 0, 9 - row:] = 0
            mask[row, 1, 5 + row:] = 0
        ids[mask == 0] = model.config.pad_token_id
        scores = torch.tensor([0.9, 0.1, 0.5, -0.25])
        values = {"input_ids": ids, "attention_mask": mask, "scores": scores}

        def embedded():
            states = model(input_ids=ids.flatten(0, 1), attention_mask=mask.flatten(0, 1)).last_hidden_state
            weights = mask.flatten(0, 1)[..., None].float()
            return ((states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)).view(4, 2, -1)

        for name in ("multiple_negatives_ranking", "cosine_similarity"):
            for which, rows in (("all", [0, 1, 2, 3]), ("some", [0, 1, 3])):
                model.zero_grad()
                made = embedded()[rows]
                if name == "cosine_similarity":
                    loss = torch.nn.functional.mse_loss(cosine(made[:, 0], made[:, 1]), scores[rows])
                else:
                    table = cosine(made[:, 0, None], made[None, :, 1], dim=-1) * 20
                    loss = torch.nn.functional.cross_entropy(table, torch.arange(len(rows)))
                loss.backward()
                values[f"{name}/{which}/loss"] = loss.detach()
                for own, parameter in model.named_parameters():
                    if which == "some" and parameter.grad is not None and ("LayerNorm" in own or "layer_norm" in own or "query" in own or "q_lin" in own):
                        values[f"{name}/gradient/{own}"] = parameter.grad.clone()
        save_file(values, folder / "pairs.safetensors")


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
    arguments.add_argument("--pairs", action="store_true")
    given = arguments.parse_args()
    if given.pairs:
        pairs(given.out)
    elif given.model:
        pretrained(given.out, given.model)
    else:
        small(given.out)
