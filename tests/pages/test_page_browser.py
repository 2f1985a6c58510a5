"""The comparison of screenshots sees that a curve is missing, and forgives how lines are smoothed."""

import pytest
from page_browser import REFERENCES, chromium, halved, misfit
from PIL import Image, ImageChops, ImageDraw

CURVE = [(x, 900 + 40 * (x // 40 % 2)) for x in range(900, 1160, 20)]


def long_page(curve: bool) -> Image.Image:
    """A page with much text, a picture, and a small chart."""
    page = Image.new("RGB", (1300, 2600), "white")
    draw = ImageDraw.Draw(page)
    for row in range(60):
        draw.text((30, 20 + 40 * row), 12 * "a line of a table ", fill="#1d2733", font_size=13)
    draw.rectangle((700, 100, 1250, 700), fill="#9aa5b1", outline="black")
    draw.rectangle((880, 860, 1200, 980), fill="white", outline="#9aa5b1")
    if curve:
        draw.line(CURVE, fill="#1f6fb4", width=2)
    return page


def test_a_small_curve_of_a_long_page_is_missed():
    whole = long_page(curve=True)
    assert not misfit(whole, halved(whole))
    assert "in a square" in misfit(long_page(curve=False), halved(whole))
    assert "in a square" in misfit(whole, halved(long_page(curve=False)))


def test_smoothing_and_a_pixel_are_forgiven():
    whole = long_page(curve=True)
    assert not misfit(ImageChops.offset(whole, 1, 1), halved(whole))
    quarter = (1, 0, 0.25, 0, 1, 0.25)
    smooth = whole.transform(whole.size, Image.Transform.AFFINE, quarter, Image.Resampling.BILINEAR)
    assert not misfit(smooth, halved(whole))


@pytest.mark.parametrize("hidden", ["kinetic", "eroded internal", "total", "every curve"])
def test_a_curve_that_is_missing_is_seen(report_page, hidden):
    kept = Image.open(REFERENCES / "report.png").convert("RGB")
    assert not misfit(report_page.shot("#energies"), kept)
    script = (
        "(hidden) => { for (const plot of document.querySelectorAll('#energies .js-plotly-plot'))"
        "plot.querySelectorAll('.scatterlayer .trace').forEach((one) => {"
        "const name = one.__data__[0].trace.name;"
        "one.style.visibility = name === hidden || hidden === 'every curve' ? 'hidden' : ''; }); }"
    )
    report_page.page.evaluate(script, hidden)
    assert misfit(report_page.shot("#energies"), kept)
    report_page.page.evaluate(script, "")


@pytest.fixture(scope="module")
def report_page(runs):
    """A report whose charts are drawn."""
    with chromium() as page:
        page.page.goto((runs[0] / "report.html").as_uri())
        page.until("document.querySelectorAll('#energies .scatterlayer .trace').length === 10")
        yield page
