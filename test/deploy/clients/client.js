// Takes URLs, each with a number of times. Requests each that often, and returns what the caller of each request sees.
export async function ask (targets, cache) {
  const seen = []
  for (const [url, times] of targets) {
    for (let time = 0; time < times; time++) {
      try {
        const response = await fetch(url, { cache })
        await response.json()
        seen.push(response.status)
      } catch {
        seen.push('failed')
      }
    }
  }
  return seen.join(' ')
}
