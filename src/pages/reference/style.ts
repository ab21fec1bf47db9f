/** The reference: its contents beside it, addresses with their parameters and answers, fields of schemas. */
export const style = `
.reference { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; align-items: start; }
.contents { position: sticky; top: 0; max-height: 100vh; padding-block: 1rem; overflow-y: auto; font-size: .9375rem; }
.contents > ul > li + li { margin-top: .75rem; }
.contents > ul > li > a { font-weight: 600; }
.contents a { display: block; padding: .1875rem .625rem; border-left: 2px solid var(--line); color: var(--muted); text-decoration: none; }
.contents > ul > li > a { color: var(--text); }
.contents a:hover, .contents [aria-current] { border-color: var(--accent); color: var(--accent); }
.reference section:first-child { margin-top: 0; }
.reference h2 { scroll-margin-top: 1rem; }
.operation { margin-top: 1.5rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); scroll-margin-top: 1rem; }
.operation:target { border-color: var(--accent); }
.reference .operation:first-child { margin-top: 1.5rem; }
.operation > * + * { margin-top: .75rem; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.line code { padding: .375rem .75rem; border-radius: .5rem; background: var(--surface); overflow-wrap: anywhere; font-size: .9375rem; }
.line b { color: var(--accent); }
.tag[href] { text-decoration: none; }
.tag[href]:hover { color: var(--accent); }
.try { display: grid; gap: .75rem; }
.try > .field { max-width: 30rem; }
.try summary { width: fit-content; font-weight: 600; font-size: .9375rem; }
.parameters { border-top: 1px solid var(--line); }
.try .parameters { margin-top: .5rem; }
.parameters > div { display: grid; grid-template-columns: minmax(0, 13rem) minmax(0, 1fr); gap: .25rem 1.5rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
.parameters dt { color: var(--text); }
.parameters dt > .small { display: block; }
.parameters dt code { overflow-wrap: anywhere; }
.parameters dt > code, .parameters label > code { font-weight: 600; }
.range { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: .5rem 1rem; }
.range label, .try .fields label { overflow-wrap: anywhere; }
.try .fields { margin-top: .75rem; }
.try h4 { margin: 1.25rem 0 0; }
.parameters dd { display: grid; gap: .375rem; }
.parameters input, .parameters select { max-width: 22rem; }
.fields-table dd { display: block; }
.answer:not(:empty) { display: grid; gap: .75rem; margin-top: .75rem; }
.answer .json pre { max-height: 26rem; overflow: auto; }
.answers { display: grid; gap: .625rem; }
.answers > div { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.answers dt { scroll-margin-top: 1rem; }
.answers .others { display: flex; flex-wrap: wrap; gap: .375rem; }
.others a { text-decoration: none; }
.answers dd { overflow-wrap: anywhere; }
.answers dd > div + div { margin-top: .75rem; }
.answers dd p + p { margin-top: .125rem; }
.gap { margin-bottom: 1rem; }
.answers :target .status { outline: 2px solid currentcolor; }
.schema > h2 { margin-bottom: .25rem; scroll-margin-top: 1rem; }
.schema > p { margin-bottom: .75rem; }
@media (max-width: 60rem) {
  .reference { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  .contents { position: static; max-height: none; padding: 0; }
  .contents ul, .contents > ul { display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
  .contents > ul > li + li { margin-top: 0; }
  .contents > ul > li:has(ul) { width: 100%; }
  .contents a { padding: .125rem 0; border: 0; }
}
@media (max-width: 40rem) {
  .parameters > div { grid-template-columns: minmax(0, 1fr); }
  .operation { padding: 1rem; }
}
`
