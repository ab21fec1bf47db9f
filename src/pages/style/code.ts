/** Requests, headers, JSON and commands, and documents made from Markdown. */
export const code = `
.code { position: relative; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); line-height: 1.6; }
.exchange { overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.exchange > * { padding: .75rem 1.125rem; }
.exchange > * + * { border-top: 1px solid var(--line); }
.ask { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
.ask code { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; font-size: .9375rem; }
.exchange summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; font-size: .9375rem; }
.exchange summary::before { content: "▸"; width: .75em; color: var(--muted); }
.exchange [open] > summary::before { content: "▾"; }
.exchange summary::-webkit-details-marker { display: none; }
.exchange details > :not(summary) { margin-top: .75rem; }
.status { display: inline-block; padding: .0625rem .5rem; border-radius: .375rem; background: var(--accent-soft); color: var(--accent); font: 600 .875rem/1.6 var(--mono); }
.status-4 { background: var(--caution-soft); color: var(--caution); }
.status-5 { background: var(--alarm-soft); color: var(--alarm); }
.headers { display: grid; grid-template-columns: auto 1fr; gap: .125rem 1.25rem; font: .875rem/1.6 var(--mono); }
.headers dd { min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .headers { grid-template-columns: 1fr; }
  .headers dd { margin-bottom: .375rem; }
}
.command { display: flex; flex-wrap: wrap; align-items: center; min-height: 3.5rem; justify-content: space-between; gap: .5rem 1rem; }
.command pre { flex: 1 1 16rem; min-width: 0; }
.copy { flex: none; }
.copied { border-color: var(--accent); color: var(--accent); }

.json { overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.json > pre, .json summary, .json > p { padding: .5rem 1.125rem; }
.json > pre { padding-block: .75rem; }
.json details { border-top: 1px solid var(--line); }
.json details pre { max-height: 30rem; padding: 0 1.125rem .875rem; overflow: auto; }
.json details:only-of-type pre { max-height: none; }
.json pre:focus-visible { outline-offset: -3px; }
.json > * + pre, .json > p { border-top: 1px solid var(--line); }
.json summary { font-size: .875rem; }
.json summary:hover { color: var(--accent); }
.json b { font-weight: 600; }
.json i { color: var(--string); font-style: normal; }
.json var { color: var(--number); font-style: normal; }

.snippets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.snippets > div { position: relative; display: grid; grid-template-rows: auto 1fr; gap: .5rem; min-width: 0; }
.snippets h3 { display: flex; align-items: center; min-height: 2rem; }
.snippets pre { font-size: .8125rem; }
.snippets .copy { position: absolute; top: 0; right: 0; }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); }
.scroll tr:last-child > * { border-bottom: 0; }
.scroll thead { background: var(--surface); }
.endpoints td:first-child, .endpoints th:first-child { padding-left: 1.125rem; }
.endpoints tbody tr:hover { background: var(--surface); }
.tag { padding: .0625rem .5rem; border-radius: .375rem; background: var(--surface); color: var(--muted); font-size: .8125rem; white-space: nowrap; }
.tag-token { background: var(--accent-soft); color: var(--accent); }
@media (max-width: 48rem) { .wide { display: none; } }
@media (max-width: 30rem) {
  .endpoints :is(th, td) { padding-inline: .5rem; }
  .endpoints code { font-size: .8125rem; overflow-wrap: anywhere; }
}

.prose { max-width: 46rem; }
.prose > * + * { margin-top: 1rem; }
.prose h2 { margin-top: 2.75rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
.prose h3 { margin-top: 1.75rem; }
.prose h2 a, .prose h3 a { color: inherit; text-decoration: none; }
.prose h2 a:hover, .prose h3 a:hover { text-decoration: underline; }
.prose ul { padding-left: 1.25rem; list-style: disc; }
.prose ol { padding-left: 1.5rem; list-style: decimal; }
.prose li + li { margin-top: .375rem; }
.prose li::marker { color: var(--muted); }
.prose code { padding: .0625rem .3125rem; border-radius: .25rem; background: var(--surface); overflow-wrap: anywhere; }
.prose pre { padding: .875rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.prose li pre { margin-block: .5rem; }
.prose pre code { padding: 0; background: none; }
`
