# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/data_formats: data files as the real libraries write them, with what a reader must get out of them.

    python data_formats.py [FOLDER]      pyarrow, numpy, pillow, scikit-learn

`expected.json` has one entry a file: the columns as [name, type, "list" | shape], and the rows as JSON (text of bytes: {"hex": ...}).
`pixels.npz` has the pixels that Pillow gives for convert("RGB") and convert("L"). Files under `refused/` must be refused; why
stands in expected.json, too.
"""

import csv
import io
import json
import pathlib
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
from PIL import Image
from sklearn.datasets import load_digits

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "data_formats")
expected = {"tables": {}, "refused": {}}


def table(rows, seed):
    random = np.random.RandomState(seed)

    def sometimes(values, every):
        return [None if i % every == every - 1 else v for i, v in enumerate(values)]

    words = ["one", "zwei", "três", "", "fünf\nline", "六", "x" * 40]
    return pa.table({
        "id": pa.array(range(rows), pa.int64()),
        "small": pa.array(sometimes(random.randint(-100, 100, rows).tolist(), 5), pa.int8()),
        "unsigned": pa.array(random.randint(0, 2**31, rows).tolist(), pa.uint32()),
        "single": pa.array(random.rand(rows).astype("float32")),
        "double": pa.array(sometimes(random.rand(rows).tolist(), 7), pa.float64()),
        "half": pa.array(random.rand(rows).astype("float16")),
        "flag": pa.array(sometimes((random.rand(rows) > 0.5).tolist(), 11), pa.bool_()),
        "text": pa.array(sometimes([words[i % len(words)] for i in range(rows)], 6), pa.string()),
        "large": pa.array([words[(i * 3) % len(words)] for i in range(rows)], pa.large_string()),
        "bytes": pa.array([bytes([i % 256, 0, 255]) * (i % 3) for i in range(rows)], pa.binary()),
        "tokens": pa.array(sometimes([list(range(i, i + i % 4)) for i in range(rows)], 9), pa.list_(pa.int32())),
        "words": pa.array([[words[j % 7] for j in range(i % 3)] for i in range(rows)], pa.list_(pa.string())),
        "block": pa.FixedSizeListArray.from_arrays(pa.array(random.rand(rows * 4).astype("float32")), 4),
        "day": pa.array(sometimes([i * 100 for i in range(rows)], 4), pa.int32()).cast(pa.date32()),
        "kind": pa.array([["red", "green", "blue"][i % 3] for i in range(rows)]).dictionary_encode(),
        "image": pa.array(sometimes([{"bytes": b"\x89P%d" % i, "path": f"{i}.png"} for i in range(rows)], 8),
                          pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    })


def plain(value):
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


TYPES = [["id", "int64", None], ["small", "int8", None], ["unsigned", "uint32", None], ["single", "float32", None],
         ["double", "float64", None], ["half", "float16", None], ["flag", "bool", None], ["text", "text", None],
         ["large", "text", None], ["bytes", "text", None], ["tokens", "int32", "list"], ["words", "text", "list"],
         ["block", "float32", [4]], ["day", "int32", None], ["kind", "text", None], ["image.bytes", "text", None],
         ["image.path", "text", None]]


def expect_table(name, data):
    raw = data.to_pylist()
    days = data["day"].cast(pa.int32()).to_pylist()
    rows = []
    for row, day in zip(raw, days):
        image = row["image"] or {"bytes": None, "path": None}
        row = dict(row, day=day, **{"image.bytes": image["bytes"], "image.path": image["path"]})
        rows.append([plain(row[name]) for name, _, _ in TYPES])
    expected["tables"][name] = {"columns": TYPES, "rows": rows}


def write_tables():
    data = table(50, 1)
    for name, options in {"snappy.parquet": {"row_group_size": 20}, "zstd.parquet": {"compression": "zstd", "row_group_size": 50},
                          "plain.parquet": {"compression": "none", "use_dictionary": False, "data_page_version": "2.0", "row_group_size": 7},
                          "gzip.parquet": {"compression": "gzip"}}.items():
        pq.write_table(data, out / name, **options)
        expect_table(name, data)
    with pa.ipc.new_file(out / "file.arrow", data.schema) as writer:
        for batch in data.to_batches(max_chunksize=16):
            writer.write_batch(batch)
    expect_table("file.arrow", data)
    with pa.ipc.new_stream(out / "stream.arrow", data.schema) as writer:  # as Hugging Face datasets keep them
        for batch in data.to_batches(max_chunksize=16):
            writer.write_batch(batch)
    expect_table("stream.arrow", data)
    pa.feather.write_feather(data.slice(3, 30), out / "sliced.feather", compression="lz4")
    expect_table("sliced.feather", data.slice(3, 30))
    nested = pa.table({"id": [1, 2], "matrix": pa.array([[[1, 2], [3]], [[4]]]), "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64()))})
    pq.write_table(nested, out / "nested.parquet")
    expected["tables"]["nested.parquet"] = {"columns": [["id", "int64", None]], "rows": [[1], [2]], "only": ["id"]}


def write_text():
    rows = [["name", "count", "ratio", "ok", "note"], ["plain", 1, 0.5, "true", "a"], ["with, comma", -2, 1e10, "false", 'say "hi"'],
            ["line\nbreak", 3, "", "true", " blanks "], ["ümlaut", 2**53 + 1, -0.25, "false", ""], ["crlf\r\nin", 0, 7, "true", "x"]]
    for name, options in {"unix.csv": {"lineterminator": "\n"}, "dos.csv": {"lineterminator": "\r\n"}, "tabs.tsv": {"delimiter": "\t"},
                          "quoted.csv": {"quoting": csv.QUOTE_NONNUMERIC}}.items():
        text = io.StringIO(newline="")
        csv.writer(text, **options).writerows(rows)
        (out / name).write_bytes(text.getvalue().encode())
        quoted = name == "quoted.csv"
        body = [[r[0], r[1], None if r[2] == "" else float(r[2]), r[3] == "true", r[4] if r[4] or quoted else None] for r in rows[1:]]
        types = ["text", "int64", "float64", "bool", "text"]
        if quoted:  # an empty text in quotes is no missing number
            body, types[2] = [[r[0], r[1], str(r[2]), r[3] == "true", r[4]] for r in rows[1:]], "text"
        expected["tables"][name] = {"columns": [[n, t, None] for n, t in zip(rows[0], types)], "rows": body}
    records = [{"text": "a \"b\" \\ \u00e9\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "n": 1, "x": 1.5, "ok": True, "ids": [1, 2, 3],
                "meta": {"lang": "en", "deep": {"score": 1}}, "mixed": [1, "a"], "words": ["p", "q"]},
               {"text": "", "n": -5, "x": 2, "ok": None, "ids": [], "meta": {"lang": "de", "deep": {"score": 2.5}}, "mixed": {"k": [1, {"z": None}]}, "words": []},
               {"n": 2**62, "x": None, "ok": False, "text": "x\ty", "ids": None, "meta": None, "mixed": None, "words": ["r"]}]
    (out / "records.jsonl").write_text("\n\n".join(json.dumps(r, ensure_ascii=i % 2 == 0) for i, r in enumerate(records)) + "\n")

    def mixed(value):
        return None if value is None else json.dumps(value, separators=(",", ":"))

    body = [[r["text"], r["n"], r["x"], r["ok"], r["ids"], (r["meta"] or {}).get("lang"), ((r["meta"] or {}).get("deep") or {}).get("score"),
             mixed(r["mixed"]), r["words"]] for r in records]
    expected["tables"]["records.jsonl"] = {
        "columns": [["text", "text", None], ["n", "int64", None], ["x", "float64", None], ["ok", "bool", None], ["ids", "int64", "list"],
                    ["meta.lang", "text", None], ["meta.deep.score", "float64", None], ["mixed", "text", None], ["words", "text", "list"]],
        "rows": body}
    (out / "lines.txt").write_bytes(b"first\n\nthird\r\n\xc3\xbf not ascii\nlast without end")
    expected["tables"]["lines.txt"] = {"columns": [["text", "text", None]],
                                       "rows": [["first"], [""], ["third"], ["\u00ff not ascii"], ["last without end"]]}


def write_arrays():
    random = np.random.RandomState(2)
    arrays = {}
    for code in ["|b1", "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", "|u1", "<u2", "<u4", ">u8", "<f2", "<f4", ">f4", "<f8", ">f8"]:
        for order in "CF":
            for shape in [(5,), (5, 3), (5, 2, 3)]:
                values = (random.rand(*shape) * 100).astype(np.dtype(code), order=order)
                name = f"array_{code.replace('<', 'le_').replace('>', 'be_').replace('|', '')}_{order}{len(shape)}"
                arrays[name] = values
    np.savez(out / "stored.npz", **arrays)
    np.savez_compressed(out / "compressed.npz", **arrays)
    for name in ["array_le_f4_C3", "array_be_i2_F2", "array_le_f8_F3"]:
        np.save(out / f"{name}.npy", arrays[name])
    np.save(out / "scalar.npy", np.float32(3.5))
    np.save(out / "empty.npy", np.zeros((0, 4), "int32"))
    names = {"b": "bool", "i": "int", "u": "uint", "f": "float"}
    expected["arrays"] = {name: {"type": names[a.dtype.kind] + ("" if a.dtype.kind == "b" else str(a.dtype.itemsize * 8)), "shape": list(a.shape),
                                 "values": a.astype("float64").ravel().tolist()} for name, a in arrays.items()}
    refused = out / "refused"
    np.save(refused / "objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    np.save(refused / "structured.npy", np.zeros(3, dtype=[("a", "<i4"), ("b", "<f8")]))
    np.save(refused / "text.npy", np.array(["a", "bc"]))
    np.save(refused / "complex.npy", np.zeros(3, "complex64"))
    good = (out / "array_le_f4_C3.npy").read_bytes()
    (refused / "cut.npy").write_bytes(good[:-5])
    (refused / "lie.npy").write_bytes(good.replace(b"(5, 2, 3)", b"(9, 99, )"))
    (refused / "overflow.npy").write_bytes(good.replace(b"(5, 2, 3), ", b"(1<<40,),  "))
    (refused / "code.npy").write_bytes(good.replace(b"{'descr'", b"{open('x"))
    npz = (out / "compressed.npz").read_bytes()
    (refused / "cut.npz").write_bytes(npz[: len(npz) // 2])
    with zipfile.ZipFile(refused / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:  # a header that claims, data that inflate
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
        archive.writestr("x.npy", head.getvalue() + b"\0" * (1 << 20))
    expected["refused"].update({
        "objects.npy": "objects", "structured.npy": "structures", "text.npy": "type", "complex.npy": "type", "cut.npy": "cut off", "lie.npy": "cut off",
        "overflow.npy": "shape", "code.npy": "header", "cut.npz": "directory", "bomb.npz": "cut off"})


def write_images():
    random = np.random.RandomState(3)
    smooth = np.add.outer(np.arange(11) * 9, np.arange(13) * 7)[..., None] + np.array([0, 40, 80])
    colour = Image.fromarray(((smooth + random.randint(0, 20, smooth.shape)) % 256).astype("uint8"))
    alpha = colour.copy()
    alpha.putalpha(Image.fromarray(random.randint(0, 256, (11, 13)).astype("uint8")))
    palette = colour.quantize(20)
    images = {"rgb.png": (colour, {}), "rgba.png": (alpha, {}), "grey.png": (colour.convert("L"), {}), "grey_alpha.png": (alpha.convert("LA"), {}),
              "palette.png": (palette, {}), "palette_clear.png": (palette, {"transparency": 3}), "one_bit.png": (colour.convert("1"), {}),
              "rgb.jpg": (colour, {"quality": 85}), "grey.jpg": (colour.convert("L"), {}), "progressive.jpeg": (colour, {"progressive": True}),
              "no_subsampling.jpg": (colour, {"subsampling": 0, "quality": 95}), "cmyk.jpg": (colour.convert("CMYK"), {}),
              "restart.jpg": (colour, {"restart_marker_blocks": 1})}
    pixels = {}
    folder = out / "images"
    for name, (image, options) in images.items():
        image.save(folder / name, **options)
        with Image.open(folder / name) as back:
            pixels[name + "/rgb"] = np.asarray(back.convert("RGB"))
            pixels[name + "/grey"] = np.asarray(back.convert("L"))
    np.savez_compressed(out / "pixels.npz", **pixels)
    refused = out / "refused"
    whole = (folder / "rgb.png").read_bytes()
    (refused / "cut.png").write_bytes(whole[:-30])
    (refused / "damaged.png").write_bytes(whole[:60] + b"\0\0\0\0" + whole[64:])
    (refused / "huge.png").write_bytes(whole[:16] + (10**8).to_bytes(4, "big") * 2 + whole[24:])
    whole = (folder / "rgb.jpg").read_bytes()
    (refused / "cut.jpg").write_bytes(whole[: len(whole) * 3 // 4])
    (refused / "text.jpg").write_bytes(b"no image at all")
    colour.save(refused / "other.png", format="BMP")
    expected["refused"].update({"cut.png": "cut off", "damaged.png": "image", "huge.png": "image", "cut.jpg": "image", "text.jpg": "neither",
                                "other.png": "neither"})


def write_digits():
    digits = load_digits()
    for i in range(30):
        folder = out / "digits" / f"{digits.target[i]}"
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray((digits.images[i] * 15).astype("uint8")).save(folder / f"{i:03}.png")
    np.save(out / "digits.npy", digits.images[:30].astype("float32"))
    with open(out / "digits.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"p{i}" for i in range(64)] + ["target"])
        for row, target in zip(digits.data[:30], digits.target[:30]):
            writer.writerow([int(v) for v in row] + [int(target)])


def write_damaged_tables():
    refused = out / "refused"
    whole = (out / "snappy.parquet").read_bytes()
    (refused / "cut.parquet").write_bytes(whole[:-100])
    (refused / "text.parquet").write_bytes(b"no parquet at all, only text that is long enough")
    whole = (out / "file.arrow").read_bytes()
    (refused / "cut.arrow").write_bytes(whole[: len(whole) // 2])
    whole = (out / "stream.arrow").read_bytes()
    (refused / "cut_stream.arrow").write_bytes(whole[: len(whole) // 2 + 3])
    expected["refused"].update({name: "cannot be read" for name in ["cut.parquet", "text.parquet", "cut.arrow", "cut_stream.arrow"]})


for folder in [out, out / "refused", out / "images"]:
    folder.mkdir(parents=True, exist_ok=True)
write_tables()
write_text()
write_arrays()
write_images()
write_digits()
write_damaged_tables()
with open(out / "expected.json", "w") as file:
    json.dump(expected, file, ensure_ascii=True)
