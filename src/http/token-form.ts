/** What the form that issues tokens takes: of one address so many a minute, a form of so many bytes, a label of so many characters. */
export const formTaken = { methods: 'GET, HEAD, POST', perMinute: 10, bytes: 4096, labelCharacters: 100 } as const
