type Compare = (a: string, b: string) => number

export const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)

/** Languages that sort some letters without accents, or digraphs, differently. */
const languages = ['en', 'cs', 'cy', 'da', 'es-u-co-trad', 'et', 'hr', 'hu', 'lt', 'sq', 'sv']

/** Every order that a database may call alphabetical, ignoring case. */
export const collations: readonly Compare[] = [
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()), (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase()),
  ...languages.flatMap(language => [{}, { numeric: true }, { ignorePunctuation: true }, { numeric: true, ignorePunctuation: true }]
    .map(options => new Intl.Collator(language, options).compare))
]
