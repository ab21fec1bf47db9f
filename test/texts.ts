import fc from 'fast-check'

// fast-check's own take a second to make: they hold every character, to tell whether a text is one of theirs.

/** Any text, lone surrogates as well. */
export const anyText = fc.string({ unit: fc.nat(0x10ffff).map(code => String.fromCodePoint(code)) })

/** The query of a URL, escaped or as it may stand there. */
const signs = 'azAZ09&&==+-._~!$\'()*,;:@/?'

export const anyQuery = fc.string({
  unit: fc.constantFrom(...signs, '%20', '%00', '%25', '%26', '%2F', '%C3%A9', '%F0%9F%9A%B2')
})
