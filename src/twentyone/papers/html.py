"""The papers as one HTML file that stands alone."""

from __future__ import annotations

from html import escape
from pathlib import Path

from twentyone.papers.model import Block, ChartGrid, Charts, Code, Grid, Heading, Paper, PaperPart, Picture, Words, runs

__all__ = ["to_html"]

STYLE = Path(__file__).with_name("papers.css")
HEAD = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    "<style>{style}</style></head>\n<body>"
)


def to_html(paper: Paper) -> bytes:
    """The papers as an HTML file."""
    head = HEAD.format(title=escape(f"{paper.title}: {paper.kind}"), style=STYLE.read_text(encoding="utf-8"))
    parts = "".join(_part(number, part) for number, part in enumerate(paper.parts, 1))
    return f"{head}{_cover(paper)}<main>{parts}</main><footer>{escape(paper.foot)}</footer></body></html>\n".encode()


def _cover(paper: Paper) -> str:
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in paper.cover)
    links = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in paper.parts)
    lines = "".join(f"<span>{escape(name)}</span>" for name in paper.signed)
    return (
        f'<header><p class="kind">{escape(paper.kind)}</p><h1>{escape(paper.title)}</h1>'
        f'<p class="source">{escape(paper.source)}</p><dl>{rows}</dl>'
        f'<nav aria-label="Contents"><h2>Contents</h2><ol>{links}</ol></nav><p class="signed">{lines}</p></header>'
    )


def _part(number: int, part: PaperPart) -> str:
    blocks, headings = [], 0
    for block in part.blocks:
        headings += isinstance(block, Heading)
        blocks.append(_block(block, f"{number}.{headings}", f"{part.name}-{headings}"))
    body = "\n".join(blocks)
    return f'<section id="{part.name}"><h2>{number} {escape(part.title)}</h2>\n{body}\n</section>\n'


def _block(block: Block, number: str, anchor: str) -> str:
    if isinstance(block, Heading):
        return f'<h3 id="{anchor}">{number} {_text(block.text)}</h3>'
    if isinstance(block, Words):
        return f"<p>{_text(block.text)}</p>"
    if isinstance(block, Code):
        return f'<pre tabindex="0">{escape(block.text)}</pre>'
    if isinstance(block, Picture):
        return f"<figure>{block.svg}</figure>"
    if isinstance(block, Charts):
        return f'<div class="charts">{"".join(map(_chart, block.grids))}</div>'
    return _table(block)


def _table(table: Grid) -> str:
    def mark(column: int) -> str:
        return ' class="num"' if column in table.numbers else ""

    head = "".join(f'<th scope="col"{mark(column)}>{escape(title)}</th>' for column, title in enumerate(table.head))
    rows = "\n".join(
        "<tr>" + "".join(f"<td{mark(column)}>{_text(cell)}</td>" for column, cell in enumerate(row)) + "</tr>"
        for row in table.rows
    )
    return f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _chart(chart: ChartGrid) -> str:
    head = "".join(f'<th scope="col">{escape(up)}</th>' for up in chart.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(label)}</th>'
        + "".join(f'<td style="background:{ground};color:{ink}">{escape(cell)}</td>' for cell, ground, ink in cells)
        + "</tr>"
        for label, cells in chart.rows
    )
    title = f'<th scope="col">{escape(chart.title)}</th>'
    return f'<table class="chart"><thead><tr>{title}{head}</tr></thead><tbody>{rows}</tbody></table>'


def _text(text: str) -> str:
    return "".join(f"<code>{escape(part)}</code>" if code else escape(part) for part, code in runs(text))
