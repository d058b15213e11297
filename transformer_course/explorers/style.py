"""The explorers' style sheet and the few lines of script that move them.

Everything hangs on the class `explorer`: several copies share one page, and
nothing of the page around them changes.
"""

from transformer_course.plots.style import FONTS, PALETTE

__all__ = ["ON_CLICK", "ON_INPUT", "STYLE"]

_LIGHT = PALETTE | {
    "soft": "#a3adb7",
    "frame": "#d5dae0",
    "track": "#edf0f3",
}
_DARK = {
    "blue": "#56b4e9",
    "orange": "#f08f4a",
    "green": "#35c79d",
    "ink": "#e9edf1",
    "dim": "#aab4be",
    "soft": "#66717c",
    "grid": "#3b444d",
    "paper": "#1b2026",
    "frame": "#3b444d",
    "track": "#2a3138",
}
# The marks by which the book, JupyterLab, Colab and VS Code say "dark".
_DARK_PAGES = (
    "html[data-theme=dark]",
    "body[data-jp-theme-light=false]",
    "html[theme=dark]",
    "body.vscode-dark",
)


def _variables(colors: dict[str, str]) -> str:
    return ";".join(f"--x-{name}:{color}" for name, color in colors.items())


def _sheet() -> str:
    dark = ",".join(f"{page} .explorer" for page in _DARK_PAGES)
    colors = "".join(
        f".explorer .x-fill.x-{name}{{fill:var(--x-{name});stroke:none}}"
        f".explorer .x-line.x-{name}{{stroke:var(--x-{name})}}"
        for name in ("blue", "orange", "green", "soft", "grid")
    )
    return (
        f".explorer{{{_variables(_LIGHT)}}}"
        f"@media screen{{{dark}{{{_variables(_DARK)}}}}}"
        + _RULES.replace("FONTS", FONTS)
        + colors
    ).replace("\n", "")


# Below 480 px the letters of the drawings grow, so that they stay legible
# when the drawing shrinks.
_RULES = """
.explorer{container-type:inline-size;box-sizing:border-box;width:100%;
max-width:44rem;margin:.5rem 0;padding:.9rem;border:1px solid var(--x-frame);
border-radius:10px;background:var(--x-paper);color:var(--x-ink);
font:15px/1.45 FONTS;text-align:left;break-inside:avoid;
forced-color-adjust:none}
html[data-theme] .text_html:has(.explorer){background:none!important;
padding:0!important}
.explorer p{margin:0;padding:0;color:inherit;font-size:15px}
.explorer p.explorer-title{font-weight:650;font-size:16px;
margin:0 auto .7rem;max-width:540px}
.explorer p.explorer-readout{min-height:4.4em;margin:.7rem auto 0;
max-width:540px;font-variant-numeric:tabular-nums}
.explorer .explorer-frame{display:none;width:100%;max-width:540px;height:auto;
margin:0 auto;background:none;overflow:visible}
.explorer .explorer-frame.explorer-shown{display:block}
.explorer .explorer-controls{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;
margin:.8rem auto 0;max-width:540px}
.explorer .explorer-control{flex:1 1 14rem;min-width:0;display:grid;
grid-template-columns:44px minmax(0,1fr) 44px;gap:0 .6rem;align-items:center}
.explorer .explorer-name{grid-column:1/-1;color:var(--x-dim);
font-size:15px}
.explorer output{color:var(--x-ink);font-weight:650;display:inline;
padding:0;font-family:inherit}
.explorer button{appearance:none;box-sizing:border-box;width:44px;
height:44px;min-height:44px;margin:0;padding:0 0 3px;
border:1px solid var(--x-dim);border-radius:8px;background:var(--x-paper);
color:var(--x-ink);font:400 24px/1 FONTS;cursor:pointer;
touch-action:manipulation}
.explorer button:hover{background:var(--x-track)}
.explorer button[aria-disabled=true]{color:var(--x-grid);
border-color:var(--x-grid);cursor:default}
.explorer input[type=range]{width:100%;height:44px;margin:0;padding:0;
background:none;accent-color:var(--x-blue);cursor:pointer}
.explorer button:focus-visible,.explorer input:focus-visible{
outline:3px solid var(--x-orange);outline-offset:2px;border-radius:8px}
.explorer svg text{font:400 13px FONTS;fill:var(--x-ink);
font-variant-numeric:tabular-nums;stroke:none}
@container (min-width:480px){.explorer svg text{font-size:11px}
.explorer p.explorer-readout{min-height:3em}}
.explorer svg .x-mid{text-anchor:middle}
.explorer svg .x-end{text-anchor:end}
.explorer svg text.x-dim{fill:var(--x-dim)}
.explorer svg text.x-strong{font-weight:650}
.explorer svg text.x-tip{font-weight:650;paint-order:stroke;
stroke:var(--x-paper);stroke-width:3px}
.explorer svg text.x-tip.x-blue{fill:var(--x-blue)}
.explorer svg text.x-tip.x-orange{fill:var(--x-orange)}
.explorer svg .x-sup{font-size:.78em}
.explorer .x-line{fill:none;stroke:var(--x-ink);stroke-width:1}
.explorer .x-line.x-thin{stroke-width:1.6}
.explorer .x-line.x-bold{stroke-width:2.6;stroke-linecap:round}
.explorer .x-track{fill:var(--x-track)}
.explorer .x-halo{fill:none;stroke:var(--x-blue);stroke-width:1.6}
.explorer .x-shade{fill:var(--x-blue)}
@media (scripting:none){.explorer .explorer-controls{display:none}}
@media print{.explorer .explorer-controls{display:none}}
"""

STYLE = _sheet()

# One handler for all sliders of an explorer: find the frame, show it alone,
# say it. `this` is the explorer.
ON_INPUT = (
    "let n=0;"
    "for(const r of this.querySelectorAll('input')){"
    "const v=+r.value,t=r.dataset.labels.split('|')[v],c=r.parentNode;"
    "n+=v*r.dataset.stride;"
    "r.setAttribute('aria-valuetext',t);"
    "c.querySelector('output').textContent=t;"
    "c.querySelectorAll('button').forEach("
    "(b,k)=>b.setAttribute('aria-disabled',v==(k?+r.max:0)))}"
    "const f=this.querySelectorAll('.explorer-frame');"
    "f.forEach((s,k)=>s.classList.toggle('explorer-shown',k==n));"
    "this.querySelector('.explorer-readout').textContent="
    "f[n].querySelector('desc').textContent"
)
# A button moves the slider beside it.
ON_CLICK = (
    "const b=event.target.closest('button');"
    "if(b){const r=b.parentNode.querySelector('input');"
    "b.value>0?r.stepUp():r.stepDown();"
    "r.dispatchEvent(new Event('input',{bubbles:true}))}"
)
