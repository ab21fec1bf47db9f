/** What stands around every page, and the controls that pages share. */
export const frame = `
.wrap { width: 100%; max-width: 76rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; padding: .625rem 1rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent); }
.skip:focus { top: .5rem; }
.site { border-bottom: 1px solid var(--line); }
.site .wrap { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; padding-block: .75rem; }
.brand { display: flex; align-items: center; gap: .625rem; color: var(--text); font-weight: 650; letter-spacing: -.01em; text-decoration: none; }
.brand svg { width: 2.375rem; color: var(--accent); }
.site ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; margin-inline: -.625rem; }
.site li a { display: block; padding: .375rem .625rem; border-radius: .5rem; color: var(--muted); font-size: .9375rem; text-decoration: none; }
.site li a:hover { background: var(--surface); color: var(--text); }
.site [aria-current] { color: var(--text); font-weight: 600; }
main { flex: 1; padding-block: clamp(1.25rem, 3vw, 2rem) 4rem; }
@media (max-width: 30rem) { .site ul { gap: 0; margin-inline: -.3125rem; } .site li a { padding: .5rem .3125rem; font-size: .8125rem; } }
main:focus { outline: 0; }
.foot { border-top: 1px solid var(--line); color: var(--muted); font-size: .875rem; }
.foot .wrap { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 2rem; padding-block: 1.25rem; }
.head { display: grid; gap: .5rem; margin-bottom: 1.5rem; }
section { margin-top: clamp(2.5rem, 6vw, 4rem); }
section > h2 { margin-bottom: 1rem; }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: .375rem 1rem;
  border: 1px solid var(--edge); border-radius: .5rem; background: var(--raised); color: var(--text);
  font: 600 .9375rem/1.2 var(--sans); text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { background: color-mix(in srgb, var(--accent) 86%, var(--text)); color: var(--on-accent); }
.slim { min-height: 2rem; padding: .125rem .75rem; font-size: .875rem; }
input, select {
  width: 100%; min-height: 2.5rem; padding: .375rem .75rem; border: 1px solid var(--edge); border-radius: .5rem;
  background: var(--raised); color: var(--text); font: 1rem/1.4 var(--sans);
}
label { font-size: .875rem; font-weight: 600; }
.field { display: grid; gap: .25rem; align-content: end; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.chips { position: relative; display: flex; gap: .375rem; margin: 0 calc(-1 * clamp(1rem, 4vw, 2rem)) 1.25rem; padding: .25rem clamp(1rem, 4vw, 2rem); overflow-x: auto; scrollbar-width: none; }
.chips a { flex: none; padding: .3125rem .75rem; border: 1px solid var(--line); border-radius: 2rem; color: var(--muted); font-size: .875rem; text-decoration: none; }
.chips a:hover { border-color: var(--accent); color: var(--accent); }
.chips [aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.pages { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem 1rem; margin-top: 1.5rem; }
.pages p { margin-right: auto; align-self: center; color: var(--muted); font-variant-numeric: tabular-nums; }
.pages form { display: flex; gap: .5rem; align-items: center; }
.pages input { width: 5rem; }
.controls { display: grid; gap: 1rem; margin-block: 1.5rem; padding: 1rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); }
.fields { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem 1rem; }
.fields > .field { flex: 1 1 11rem; max-width: 22rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15.5rem), 1fr)); gap: .875rem 1.25rem; }
.controls summary { font-weight: 600; }
.controls details[open] > summary { margin-bottom: .75rem; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; align-content: end; }
legend { padding: 0; margin-bottom: .25rem; font-size: .875rem; font-weight: 600; }
.between { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; color: var(--muted); }
.between input { flex: 1 1 4rem; width: 4rem; min-width: 0; padding-inline: .5rem; }
.between input[type=date] { flex-basis: 8.5rem; }
.notice { margin-block: 1.5rem; padding: 1rem 1.25rem; border-left: .25rem solid var(--accent); border-radius: .25rem var(--radius) var(--radius) .25rem; background: var(--surface); }
.notice > * + * { margin-top: .75rem; }
.ask-token p { margin-top: .75rem; }
.notice ul { padding-left: 1.125rem; list-style: disc; }
.fault { color: var(--alarm); font-size: .875rem; font-weight: 600; }
`
