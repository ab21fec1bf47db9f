/** Bikes as cards, parts as rows, and those that have only a make as tiles. */
export const records = `
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16.5rem), 1fr)); gap: 1.25rem; }
.card { display: flex; flex-direction: column; overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); }
.card > div { display: flex; flex: 1; flex-direction: column; gap: .625rem; padding: 1rem 1.125rem 1.125rem; }
.card > img, .tile > img, .row > img, .gallery img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover; background: #dfe1e5; color: #3b4350; font-size: .8125rem; line-height: 1.4; overflow: hidden; }
.blank { display: grid; place-items: center; aspect-ratio: 4 / 3; border-radius: .375rem; background: var(--surface); color: var(--line); }
.blank svg { width: 40%; }
.card dl { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; font-size: .875rem; }
.card dd { min-width: 0; }
.card .last { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; margin-top: auto; padding-top: .375rem; color: var(--muted); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.card .price { font-size: 1.125rem; font-weight: 650; font-variant-numeric: tabular-nums; }
@media (min-width: 48rem) {
  .card:only-child { display: grid; grid-column: 1 / -1; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); }
}
:target { scroll-margin-top: 1rem; }
.card:target, .row:target, .tile:target { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }

.rows { display: grid; gap: .75rem; }
.row { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1.25rem; padding: .75rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); }
.row > img { aspect-ratio: 4 / 3; border-radius: .375rem; }
.row > div { display: grid; gap: .5rem; align-content: start; padding: .25rem .25rem .25rem 0; min-width: 0; }
.row p { max-width: 80ch; font-size: .9375rem; }
.row .links { color: var(--muted); font-size: .875rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.25rem, 1fr)); gap: .5rem 1rem; }
.facts dt { font-size: .8125rem; }
.facts dd { font-size: .9375rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .row { grid-template-columns: 1fr; padding: 0; overflow: hidden; }
  .row > img { border-radius: 0; }
  .row > div { padding: 1rem; }
}

.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); gap: 1rem; }
.tile { overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); }
.tile > img { aspect-ratio: 4 / 3; }
.tile > div { padding: .75rem .875rem .875rem; }
.tile h3 { font-size: 1rem; }
@media (max-width: 28rem) { .tiles { grid-template-columns: 1fr 1fr; gap: .75rem; } }

.hero { display: grid; padding-block: clamp(0rem, 2vw, 1.5rem); grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); align-items: center; gap: 1.5rem 3rem; }
.hero > div { display: grid; gap: 1rem; }
.hero h1 { font-size: clamp(2.25rem, 1.4rem + 3.6vw, 3.5rem); line-height: 1.05; letter-spacing: -.035em; }
.hero img { border-radius: calc(var(--radius) * 1.5); }
.hero figcaption { margin-top: .625rem; color: var(--muted); font-size: .875rem; }
@media (max-width: 56rem) { .hero { grid-template-columns: minmax(0, 1fr); } }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15.5rem), 1fr)); gap: 1rem; }
.gallery a { display: block; overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); color: var(--text); text-decoration: none; }
.gallery a:hover { border-color: var(--accent); box-shadow: var(--shadow); }
.gallery a > span { display: block; padding: .75rem 1rem .875rem; line-height: 1.35; }
.gallery b { display: block; font-weight: 600; }
.doors { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr)); gap: 1rem; }
.doors li { padding: 1.125rem 1.25rem; border-radius: var(--radius); background: var(--surface); }
.doors p { margin-top: .25rem; color: var(--muted); font-size: .9375rem; }
.stamp { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin-top: 2.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: .875rem; }
.stamp dd { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
`
