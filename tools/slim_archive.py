"""Archives without what only says where in whose files a program came from."""

import io
import json
import zipfile

FIXED_DATE = (2026, 1, 1, 0, 0, 0)


def without_traces(text):
    """The program without what only says where in whose files it came from."""
    program = json.loads(text)
    for node in program["graph_module"]["graph"]["nodes"]:
        for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "from_node"):
            node["metadata"].pop(key, None)
    return json.dumps(program, separators=(",", ":"))


def slim(archive):
    """The archive without traces and example inputs."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        root = old.namelist()[0].split("/")[0]
        for member in old.infolist():
            if "/sample_inputs/" in member.filename:
                continue
            data = old.read(member)
            if member.filename.endswith("/models/model.json"):
                data = without_traces(data)
            name = "program" + member.filename[len(root):]
            new.writestr(zipfile.ZipInfo(name, FIXED_DATE), data)
    return out.getvalue()
