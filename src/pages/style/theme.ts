/** Colours, type and the plain elements, in light and dark; the accent is celeste, a bicycle maker's old colour. */
export const theme = `
:root {
  color-scheme: light dark;
  --page: #fff;
  --surface: #f4f6f8;
  --raised: #fff;
  --line: #dde2e8;
  --edge: #87919e;
  --text: #151a21;
  --muted: #56606e;
  --accent: #0b6b63;
  --accent-soft: #e2f3f0;
  --on-accent: #fff;
  --string: #0b6b63;
  --number: #94420a;
  --caution: #8a4b00;
  --caution-soft: #fff2dc;
  --alarm: #b3261e;
  --alarm-soft: #fdeae8;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 6px 20px -8px rgb(16 24 40 / 14%);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  --radius: .75rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1317;
    --surface: #161b21;
    --raised: #1a2027;
    --line: #2b333d;
    --edge: #6d7988;
    --text: #e6eaef;
    --muted: #9da8b6;
    --accent: #84dccf;
    --accent-soft: #14302d;
    --on-accent: #06211d;
    --string: #84dccf;
    --number: #f0b27a;
    --caution: #f2c27e;
    --caution-soft: #33260f;
    --alarm: #ff9d94;
    --alarm-soft: #3a1a18;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%);
  }
  img { filter: brightness(.87); }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.55 var(--sans);
  overflow-wrap: break-word;
}
h1, h2, h3 { margin: 0; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 1.35rem + 1.7vw, 2.5rem); letter-spacing: -.025em; }
h2 { font-size: 1.375rem; }
h3 { font-size: 1.0625rem; }
p, ul, ol, dl, dd, pre, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentcolor 45%, transparent); }
a:hover { text-decoration-color: currentcolor; text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
img { display: block; max-width: 100%; height: auto; }
code, pre { font-family: var(--mono); font-size: .875em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
summary { cursor: pointer; }
dt { color: var(--muted); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .625rem .75rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-size: .8125rem; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.muted { color: var(--muted); }
.small { font-size: .875rem; }
.lead { color: var(--muted); font-size: 1.125rem; max-width: 62ch; text-wrap: pretty; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
  a, button, .card { transition: background-color .15s, border-color .15s, box-shadow .15s, color .15s; }
}
@media print { nav, .controls, .skip { display: none; } }
`
