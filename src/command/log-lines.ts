type Entry = { level: number, time: number, msg: string, method?: string, url?: string, status?: number, ms?: number, err?: { message: string } }

/** Gives a stream for log entries that writes them for a person: the time, then what was asked and answered, or the message. */
export function readableLog (stream: { write: (text: string) => unknown }): { write: (line: string) => void } {
  return { write: line => { stream.write(`${readableLine(JSON.parse(line) as Entry)}\n`) } }
}

function readableLine ({ level, time, msg, method, url, status, ms, err }: Entry): string {
  const clock = new Date(time).toTimeString().slice(0, 8)
  if (method !== undefined) return `  ${clock}  ${status} ${method} ${url} ${ms} ms`
  return `  ${clock}  ${level >= 40 ? 'warning: ' : ''}${err === undefined ? msg : err.message}`
}
