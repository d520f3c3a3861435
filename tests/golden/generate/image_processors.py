# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers' image processors (torchvision) make of images, for preprocessor_config.json in many spellings.

    python image_processors.py [--out DIR] [--spec SPEC.json] [--only WORD]

images/*.png; cases.json: model_type, the file (`processor`), and what AutoImageProcessor loads it as; expected.safetensors: <case>.<image>, fp32 [channels,
height, width].
"""
import json, pathlib, tempfile

from artifact import arguments, fresh, write_json
import numpy, torch
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoImageProcessor

SIZES = {"wide": (30, 53), "tall": (61, 34), "small": (13, 17)}
IMAGENET = dict(image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])
S = dict(height=24, width=24)
C = lambda name, model_type, processor: dict(name=name, model_type=model_type, processor=processor)
DEFAULT = [
    C("vit", "vit", dict(image_processor_type="ViTImageProcessor", size=S)),
    C("vit_fast", "vit", dict(image_processor_type="ViTImageProcessorFast", size=S, resample=2, do_convert_rgb=None)),
    C("vit_old", "vit", dict(feature_extractor_type="ViTFeatureExtractor", do_resize=True, do_normalize=True, image_mean=[0.5, 0.5, 0.5], image_std=[0.5, 0.5, 0.5], resample=2, size=24)),
    C("vit_imagenet", "vit", dict(IMAGENET, image_processor_type="ViTImageProcessor", size=S, resample=3)),
    C("vit_nearest", "vit", dict(image_processor_type="ViTImageProcessor", size=S, resample=0)),
    C("vit_not_square", "vit", dict(image_processor_type="ViTImageProcessor", size=dict(height=20, width=28))),
    C("vit_factor", "vit", dict(image_processor_type="ViTImageProcessor", size=S, rescale_factor=1 / 127.5)),
    C("vit_no_normalize", "vit", dict(image_processor_type="ViTImageProcessor", size=S, do_normalize=False)),
    C("vit_no_rescale", "vit", dict(image_processor_type="ViTImageProcessor", size=S, do_rescale=False, image_mean=[120.0, 110.0, 100.0], image_std=[60.0, 61.0, 62.0])),
    C("vit_neither", "vit", dict(image_processor_type="ViTImageProcessor", size=S, do_rescale=False, do_normalize=False)),
    C("vit_cropped", "vit", dict(image_processor_type="ViTImageProcessor", size=dict(height=32, width=30), do_center_crop=True, crop_size=dict(height=24, width=25))),
    C("deit", "vit", dict(IMAGENET, image_processor_type="DeiTImageProcessor", size=32, crop_size=24, do_center_crop=True, resample=3)),
    C("convnext", "resnet", dict(IMAGENET, image_processor_type="ConvNextImageProcessor", size=dict(shortest_edge=24), crop_pct=0.875, resample=3)),
    C("convnext_old", "resnet", dict(IMAGENET, feature_extractor_type="ConvNextFeatureExtractor", size=24, crop_pct=0.95, resample=2, do_resize=True)),
    C("convnext_without_share", "resnet", dict(IMAGENET, image_processor_type="ConvNextImageProcessor", size=dict(shortest_edge=24))),
    C("clip", "resnet", dict(image_processor_type="CLIPImageProcessor", size=dict(shortest_edge=28), crop_size=24)),
    C("bit", "resnet", dict(image_processor_type="BitImageProcessor", size=26, crop_size=dict(height=24, width=24), do_convert_rgb=True)),
    C("crop_alone", "resnet", dict(image_processor_type="BitImageProcessor", do_resize=False, crop_size=dict(height=32, width=33))),
]


def picture(height, width, seed):
    g = torch.Generator().manual_seed(seed)
    small = torch.randint(0, 256, (1, 3, 6, 7), generator=g).float()
    image = torch.nn.functional.interpolate(small, (height, width), mode="bilinear", align_corners=True)
    image = image + torch.randn(image.shape, generator=g) * 12
    return image.clamp(0, 255).round().to(torch.uint8)[0].permute(1, 2, 0).numpy()


def main(out, spec, only):
    folder = fresh(out / "images")
    for seed, (name, (height, width)) in enumerate(SIZES.items()):
        Image.fromarray(picture(height, width, seed)).save(folder / f"{name}.png")
    expected = {}
    for case in spec:
        if only not in case["name"]:
            continue
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "preprocessor_config.json").write_text(json.dumps(case["processor"]))
            (pathlib.Path(place) / "config.json").write_text(json.dumps(dict(model_type=case["model_type"])))
            processor = AutoImageProcessor.from_pretrained(place)
        case["loaded_as"] = type(processor).__name__
        for name in SIZES:
            pixels = processor(Image.open(folder / f"{name}.png"), return_tensors="pt")["pixel_values"][0]
            expected[f"{case['name']}.{name}"] = pixels.float().contiguous()
    save_file(expected, out / "expected.safetensors")
    write_json(out / "cases.json", spec)
    print(len(expected), "results")


if __name__ == "__main__":
    main(*arguments("image_processors", DEFAULT))
