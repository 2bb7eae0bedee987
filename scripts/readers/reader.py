# Reads CSV files or sheets with pandas, as its documentation says, and prints what it read as JSON.
# Arguments: rfc4180, excel-eu or xlsx, then the files.
import json
import sys

import pandas


def cells(frame):
    # NaN stands for an empty cell; numbers keep all their digits.
    columns = [[None if pandas.isna(v) else (v.item() if hasattr(v, "item") else v) for v in frame[c]] for c in frame]
    return [list(frame.columns), *map(list, zip(*columns))]


kind, *paths = sys.argv[1:]
if kind == "xlsx":
    read = {name: cells(frame) for name, frame in pandas.read_excel(paths[0], sheet_name=None).items()}
elif kind == "excel-eu":
    read = {path: cells(pandas.read_csv(path, sep=";", decimal=",")) for path in paths}
else:
    read = {path: cells(pandas.read_csv(path)) for path in paths}
json.dump(read, sys.stdout)
