"""The viewer's page with its scripts, its style and its data in one text."""

import base64
import hashlib
import html
import re

from crumple.viewer.page_files import PAGE, SCRIPTS, STYLE, read

IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)


def one_script() -> str:
    """All scripts as one module: each stands after those that it imports, so imports are left out."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", read(name))) for name in SCRIPTS)


def inlined_page(data: str, start: str) -> str:
    """The page.

    Args:
        data: base64 of what the page shows
        start: JSON of what it shows at first
    """
    script = one_script()
    if "</script" in script:
        raise ValueError("a script of the page would end early")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:"
    )
    text = read(PAGE)
    text = text.replace('<link rel="stylesheet" href="viewer.css">', f"<style>{read(STYLE)}</style>")
    head = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    text = text.replace('<meta charset="utf-8">', head)
    text = text.replace('<script type="module" src="page.js"></script>\n', "")
    block = f'<script type="text/plain" id="data" data-start="{html.escape(start)}">{data}</script>'
    return text.replace("</body>", f'{block}\n<script type="module">{script}</script>\n</body>')
