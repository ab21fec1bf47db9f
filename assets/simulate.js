// The page /__simulate: adds, copies and deletes rules, and shows new requests and rules without a reload.

const [times, path, always, noun, text] = ['times', 'path', 'always', 'noun', 'text'].map(id => document.getElementById(id))
const status = document.querySelector('[role=status]')
const pause = 1000
const effectKey = 'bicycle-catalogue effect'
let isLost = false
let latest = 0

function say (words, isAlarm = false) {
  status.textContent = words
  status.classList.toggle('alarm', isAlarm)
}

/** Replaces the rows that have changed, and keeps the focus; an older response than the latest request's is dropped. */
async function refresh () {
  const own = ++latest
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (!response.ok) throw new Error(page.title)
  if (own !== latest) return
  document.title = page.title
  const focused = document.activeElement.id
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(part.id)
    if (fresh.innerHTML !== part.innerHTML) part.replaceChildren(...document.adoptNode(fresh).childNodes)
  }
  if (focused && document.activeElement.id !== focused) document.getElementById(focused)?.focus()
  if (isLost) say('')
  isLost = false
}

function fail () {
  isLost = true
  say('The server cannot be reached.', true)
}

/** Sends a request for rules; returns the response's JSON, or says the errors. */
async function send (method, rule, below = '') {
  const options = rule && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rule) }
  const response = await fetch(location.pathname + below, { method, ...options })
  const body = response.status === 204 ? {} : await response.json()
  if (response.ok) return body
  say(Object.entries(body).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`).join(' '), true)
}

async function add ({ dataset, textContent }) {
  if (!always.checked && !times.reportValidity()) return say('')
  sessionStorage.setItem(effectKey, JSON.stringify([textContent, dataset.rule]))
  const count = always.checked ? {} : { times: times.valueAsNumber }
  const rule = await send('POST', { path: path.value, ...count, ...JSON.parse(dataset.rule) })
  const requests = always.checked ? 'every request' : times.valueAsNumber === 1 ? 'the next request' : `the next ${times.value} requests`
  if (rule) say(`Rule ${rule.id} added: ${textContent} for ${requests} to ${path.selectedOptions[0].text}.`)
}

/** Adds a rule for the method, path and query of a request, with the effect that was used last; masked values match anything. */
async function addAgain (row) {
  const [method, target] = ['b', 'code > span'].map(selector => row.querySelector(selector).textContent)
  const { pathname, searchParams } = new URL(target, location.href)
  const query = Object.fromEntries([...searchParams].filter(([name, value]) => !name.startsWith('__') && value !== '*'))
  const [label, effect] = JSON.parse(sessionStorage.getItem(effectKey) ?? '["503","{\\"code\\":503}"]')
  const rule = await send('POST', { method, path: pathname, query, ...JSON.parse(effect), times: 1 })
  if (rule) say(`Rule ${rule.id} added: ${label} for the next ${method} ${target}.`)
}

async function remove (id) {
  if (!await send('DELETE', undefined, `/${id}`)) return
  say(id === 'requests' ? 'Requests cleared.' : id === 'rules' ? 'Rules deleted.' : `Rule ${id} deleted.`)
}

/** Writes a value of JSON as JavaScript. */
function literal (value) {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (Object.keys(value).length === 0) return '{}'
  return `{ ${Object.entries(value).map(([name, part]) => `${name === '__proto__' ? "['__proto__']" : /^[a-z_]\w*$/i.test(name) ? name : literal(name)}: ${literal(part)}`).join(', ')} }`
}

/** Shows a rule as code, and copies it. */
async function copy (id, isCurl) {
  const response = await fetch(location.pathname, { headers: { accept: 'application/json' } })
  const { rules } = await response.json()
  const { id: _, used, ...rule } = rules.find(rule => rule.id === Number(id)) ?? {}
  const json = JSON.stringify(rule).replaceAll("'", "'\\''")
  const address = location.origin + location.pathname
  text.textContent = isCurl ? `curl -H 'Content-Type: application/json' -d '${json}' '${address}'` : `server.simulate(${literal(rule)})`
  text.parentElement.hidden = false
  try {
    await navigator.clipboard.writeText(text.textContent)
    say(`Rule ${id} copied.`)
  } catch { // plain HTTP has no clipboard
    getSelection().selectAllChildren(text)
    say('Selected: press Ctrl+C.')
  }
}

function changeOf (button) {
  const { rule, delete: id, test, curl } = button.dataset
  if (rule) return add(button)
  if (id) return remove(id)
  if (test || curl) return copy(test ?? curl, curl !== undefined)
  if (button.matches('[data-again]')) return addAgain(button.closest('li'))
}

document.addEventListener('click', ({ target }) => { changeOf(target)?.then(refresh).catch(fail) })

document.addEventListener('input', () => {
  times.disabled = always.checked
  noun.textContent = times.valueAsNumber === 1 ? 'request' : 'requests'
})

async function follow () {
  if (document.visibilityState === 'visible') await refresh().catch(fail)
  setTimeout(follow, pause)
}

follow()
