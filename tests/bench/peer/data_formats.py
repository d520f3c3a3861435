# SPDX-License-Identifier: GPL-3.0-or-later
"""The peer of bench_data_formats: Python's readers of data files.

    python data_formats.py write FOLDER                 rows.jsonl as rows.parquet
    python data_formats.py read READER FILE ROUNDS      seconds of each round, one JSON list

pyarrow and pandas. Readers: pyarrow_json, pyarrow_csv, pyarrow_parquet, pandas_json, pandas_csv. All with their defaults: pyarrow uses
every core, pandas one.
"""

import json
import pathlib
import sys
import time


def reader(name):
    if name.startswith("pyarrow"):
        import pyarrow.csv
        import pyarrow.json
        import pyarrow.parquet

        return {"pyarrow_json": pyarrow.json.read_json, "pyarrow_csv": pyarrow.csv.read_csv, "pyarrow_parquet": pyarrow.parquet.read_table}[name]
    import pandas

    return {"pandas_json": lambda path: pandas.read_json(path, lines=True), "pandas_csv": pandas.read_csv}[name]


if sys.argv[1] == "write":
    import pyarrow.json
    import pyarrow.parquet

    folder = pathlib.Path(sys.argv[2])
    pyarrow.parquet.write_table(pyarrow.json.read_json(folder / "rows.jsonl"), folder / "rows.parquet", row_group_size=20000)
else:
    read, path = reader(sys.argv[2]), sys.argv[3]
    seconds = []
    read(path)  # its code and the file come into memory
    for _ in range(int(sys.argv[4])):
        begin = time.perf_counter()
        read(path)
        seconds.append(time.perf_counter() - begin)
    print(json.dumps(seconds))
