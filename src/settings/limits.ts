/** The window of every rate limit: a client's count begins with its first request. */
export const limitWindow = { name: 'minute', milliseconds: 60_000 } as const

/** The limits of the token form; `requests` are those of one address in a window. */
export const formLimits = { methods: 'GET, HEAD, POST', requests: 10, bytes: 4096, labelCharacters: 100 } as const
