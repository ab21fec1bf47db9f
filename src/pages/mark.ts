const drawing = `<g fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">
<circle cx="10" cy="22" r="7.5"/><circle cx="38" cy="22" r="7.5"/>
<path d="M10 22 18 10H32L23 22ZM23 22 16.5 6.5M13.5 6.5H19.5M38 22 31 6.5H36"/>
</g>`

/** The mark of the catalogue, a bicycle in one line, in the colour of the text around it. */
export const mark = `<svg viewBox="0 0 48 32" aria-hidden="true" focusable="false">${drawing}</svg>`

/** The mark as a document of its own, for the browser's tab. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -8 48 48">
<style>:root{color:#0b6b63}@media(prefers-color-scheme:dark){:root{color:#84dccf}}</style>
${drawing}
</svg>
`
