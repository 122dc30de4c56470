"""Makes the wheel of the package for Python, with nothing but Python: the same bytes from the same files.

    python3 resources/packaging/wheel.py FOLDER

A wheel is an archive of the modules beside three files about them (packaging.python.org, binary distribution format).
"""

import base64
import hashlib
import pathlib
import sys
import tomllib
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "clients" / "python"
TIME = (2026, 1, 1, 0, 0, 0)


def main(folder):
    described = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))
    project = described["project"]
    name, version = project["name"], project["version"]
    about = f"{name}-{version}.dist-info"
    head = [f"Name: {name}", f"Version: {version}", f"Summary: {project['description']}", f"License: {project['license']['text']}"]
    needs = [f"Requires-Python: {project['requires-python']}", *(f"Requires-Dist: {one}" for one in project["dependencies"])]
    classes = [f"Classifier: {one}" for one in project["classifiers"]]
    modules = sorted(path for path in (SOURCE / name).iterdir() if path.suffix == ".py" or path.name == "py.typed")
    files = {f"{name}/{path.name}": path.read_bytes() for path in modules}
    files |= {f"{module}.py": (SOURCE / f"{module}.py").read_bytes() for module in described["tool"]["setuptools"]["py-modules"]}
    points = [line for group, named in project["entry-points"].items() for line in (f"[{group}]", *(f"{key} = {value}" for key, value in named.items()), "")]
    files[f"{about}/entry_points.txt"] = "\n".join(points).encode()
    files[f"{about}/METADATA"] = "\n".join(["Metadata-Version: 2.1", *head, *needs, *classes, ""]).encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: anticlique\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{path},sha256={digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    wheel = pathlib.Path(folder) / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    print(wheel)


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


main(sys.argv[1])
