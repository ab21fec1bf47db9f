/** The seconds between two lines of progress in a log. */
const secondsOfLine = 10

/** Clears the last line of a terminal. */
export const clearLine = '\r\x1b[K'

type ProgressOptions = {
  /** The most requests a second. */
  rate: number
  /** The requests that the built-in data need. */
  typicalRequests: number
}

/**
 * Writes how long a command takes that sends requests to a service. Then shows the last request on a terminal, and
 * elsewhere writes a line about every ten seconds.
 */
export function createProgress (
  stderr: { write: (text: string) => unknown, isTTY?: boolean }, { rate, typicalRequests }: ProgressOptions
) {
  let requests = 0
  const seconds = typicalRequests / rate
  if (seconds > secondsOfLine) {
    const duration = `${Math.round(seconds)} s at ${rate} a second (--rate)`
    stderr.write(`48 bikes need about ${typicalRequests} requests: ${duration}.\n`)
  }
  const write = (text: string) => { if (stderr.isTTY) stderr.write(clearLine + text.slice(0, 78)) }
  const show = (text: string) => write(`${requests} ${text}`)
  /** Counts a request. */
  const tell = (request: string) => {
    requests++
    show(request)
    const isDue = !stderr.isTTY && requests % Math.ceil(rate * secondsOfLine) === 0
    if (isDue) stderr.write(`${requests} requests\n`)
  }
  return { tell, show, end: () => write(''), requests: () => requests }
}
