// The page /__simulate: adds and deletes rules, and shows new requests and rules without a reload.

const [times, path] = ['times', 'path'].map(id => document.getElementById(id))
const pause = 1000
let isLost = false
let latest = 0

function say (text) {
  document.querySelector('[role=status]').textContent = text
}

/** Replaces the rows that have changed; an older response than the latest request's is dropped. */
async function refresh () {
  const own = ++latest
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (!response.ok) throw new Error(page.title)
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(part.id)
    if (own === latest && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...document.adoptNode(fresh).childNodes)
  }
  if (isLost) say('')
  isLost = false
}

function fail () {
  isLost = true
  say('The server cannot be reached.')
}

/** Sends a request for rules; returns the response's JSON, or says the faults. */
async function send (method, rule) {
  const options = rule && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rule) }
  const response = await fetch(location.pathname, { method, ...options })
  const body = response.status === 204 ? {} : await response.json()
  if (response.ok) return body
  say(Object.entries(body).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`).join(' '))
}

async function add ({ dataset, textContent }) {
  if (!times.reportValidity()) return say('')
  const rule = await send('POST', { path: path.value, times: times.valueAsNumber, ...JSON.parse(dataset.rule) })
  const requests = times.valueAsNumber === 1 ? 'request' : `${times.value} requests`
  if (rule) say(`Rule ${rule.id} added: ${textContent} for the next ${requests} of ${path.selectedOptions[0].text}.`)
}

async function clear () {
  if (await send('DELETE')) say('Rules and requests are deleted.')
}

document.addEventListener('click', ({ target }) => {
  const change = target.matches('[data-rule]') ? add(target) : target.matches('[data-delete]') ? clear() : undefined
  change?.then(refresh).catch(fail)
})

async function follow () {
  if (document.visibilityState === 'visible') await refresh().catch(fail)
  setTimeout(follow, pause)
}

follow()
