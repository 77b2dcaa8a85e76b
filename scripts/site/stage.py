"""
Gathers the pages of the documentation's site in a folder: README.md and the other pages of the
checkout under their names, with the tables of all keys of the configs, and a page of the API for
each module of the package.

    python scripts/site/stage.py build/site-pages

Links to a Python file lead to the page of its module. Other linked files are copied.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator, List

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = ROOT / "lisa_allennlp"

PAGES = (
    "README.md",
    "RESULTS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs",
    "benchmarks/records",
    "fixtures/README.md",
)
"""The pages of the checkout, and folders with pages."""

_LINK = re.compile(r"(\]\()(?P<target>[^)#\s:]+)(?P<anchor>#[^)\s]*)?(\))")


def stage(folder: Path) -> None:
    """
    Writes the pages.

    # Raises

    `FileNotFoundError`
        If a link leads to a file that does not exist.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for source in _pages():
        target = folder / _name_on_site(source.relative_to(ROOT))
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(_with_links(source, folder), encoding="utf-8")
        else:
            shutil.copy(source, target)
    with open(folder / "docs" / "config_reference.md", "a", encoding="utf-8") as page_of_keys:
        page_of_keys.write("\n" + _tables_of_keys())
    for module in _modules():
        page = folder / _api_page(module)
        page.parent.mkdir(parents=True, exist_ok=True)
        name = _dotted_name(module)
        page.write_text(f"# {name}\n\n::: {name}\n", encoding="utf-8")
    (folder / "api" / "index.md").write_text(_api_overview(), encoding="utf-8")


def _tables_of_keys() -> str:
    command = [sys.executable, "-X", "utf8", str(ROOT / "scripts" / "config_reference.py")]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def _pages() -> Iterator[Path]:
    for name in PAGES:
        path = ROOT / name
        yield from sorted(filter(Path.is_file, path.rglob("*"))) if path.is_dir() else [path]


def _name_on_site(path: Path) -> Path:
    return Path("index.md") if path == Path("README.md") else path


def _with_links(page: Path, folder: Path) -> str:
    """The text of a page with the links of the site."""
    here = _name_on_site(page.relative_to(ROOT)).parent

    def link(match: re.Match) -> str:
        target = (page.parent / match["target"]).resolve()
        if not target.exists():
            raise FileNotFoundError(f"{page}: found a link to {match['target']}, which is missing")
        on_site = _on_site(target, folder)
        anchor = match["anchor"] or ""
        return f"{match[1]}{os.path.relpath(on_site, here)}{anchor}{match[4]}"

    return _LINK.sub(link, page.read_text(encoding="utf-8"))


def _on_site(target: Path, folder: Path) -> Path:
    """The place of a linked file on the site. Files that are no pages are copied."""
    if target.is_dir():
        names = ("__init__.py", "README.md")
        files = [target / name for name in names if (target / name).is_file()]
        if not files:
            return _listing(target, folder)
        target = files[0]
    if target.suffix == ".py" and PACKAGE in target.parents:
        return _api_page(target)
    path = _name_on_site(target.relative_to(ROOT))
    copy = folder / path
    if not copy.exists() and target not in set(_pages()):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(target, copy)
    return path


def _listing(source: Path, folder: Path) -> Path:
    """A page with the files of a folder."""
    path = source.relative_to(ROOT)
    files = sorted(filter(Path.is_file, source.iterdir()))
    page = folder / path / "index.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"- [{file.name}]({_on_site(file, folder).name})" for file in files]
    page.write_text(f"# {path}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path / "index.md"


def _modules() -> List[Path]:
    """The public modules of the package."""
    modules = sorted(PACKAGE.rglob("*.py"))
    return [module for module in modules if module.name != "__main__.py"]


def _dotted_name(module: Path) -> str:
    parts = module.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _api_page(module: Path) -> Path:
    return Path("api", _dotted_name(module) + ".md")


def _api_overview() -> str:
    lines = [f"- [{name}]({name}.md)" for name in sorted(map(_dotted_name, _modules()))]
    return "# API\n\nThe modules of the package.\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
