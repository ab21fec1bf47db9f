// Takes URLs, each with a number: sends each that many times, one after the other, and returns what a caller of each request sees.
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
