// The page /__simulate: adds, copies and deletes rules, and shows new requests and rules without a reload.

const [times, path, extent, noun, text, status, fresh, hold] = ['times', 'path', 'extent', 'noun', 'text', 'said', 'new', 'pause']
  .map(id => document.getElementById(id))
const log = document.getElementById('requests-rows')
const pause = 1000
let isLost = false
let latest = 0
let lastSimulated // the number of the last request that a rule applied to, as of the last look

/** Says what an action did, where the user is; `undo` takes it back. */
function say (words, isAlarm = false, undo = undefined) {
  status.textContent = words
  status.classList.toggle('alarm', isAlarm)
  if (undo === undefined) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'slim'
  button.textContent = 'Undo'
  button.addEventListener('click', () => undo().then(() => say('Undone.')).then(refresh).catch(fail))
  status.append(' ', button)
}

/** Whether the log is being read: it does not move under the pointer, the focus or a selection. */
const isRead = () => hold.getAttribute('aria-pressed') === 'true' || log.matches(':hover, :focus-within') ||
  (!getSelection().isCollapsed && log.contains(getSelection().anchorNode))

const numberOf = rows => Number(rows.querySelector('[data-again]')?.dataset.again ?? 0)

/** Says what the last request that a rule applied to got, since the user's action; leaves what the action did, with its Undo, in sight. */
function sayUsed (page) {
  const row = [...page.querySelectorAll('#requests-rows > ol > li')].find(row => {
    return row.querySelector('.why').textContent.startsWith('rule ') && !row.querySelector('.status-0')
  })
  const number = Number(row?.querySelector('[data-again]').dataset.again ?? 0)
  if (lastSimulated !== undefined && number > lastSimulated) {
    const used = status.querySelector('span') ?? document.createElement('span')
    const list = [...path.options].find(({ value }) => value === row.querySelector('code > span').textContent.split('?')[0])
    const target = list?.text ?? row.querySelector('code').textContent.trim()
    used.textContent = ` The next request to ${target} got ${row.querySelector('.status').textContent}.`
    if (!used.isConnected) status.append(used)
  }
  lastSimulated = number
}

/**
 * Replaces the rows that have changed, and keeps the focus, or moves it to the next row; an older response than the latest request's is
 * dropped.
 */
async function refresh (isForced = false) {
  const own = ++latest
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (!response.ok) throw new Error(page.title)
  if (own !== latest) return
  document.title = page.title
  sayUsed(page)
  const focused = document.activeElement
  const row = focused.closest('li')
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('[data-delete]')
  const ids = [focused.id, next?.id ?? '', 'delete-rules']
  for (const part of document.querySelectorAll('[data-live]')) {
    const rows = page.getElementById(part.id)
    const isSame = part.dataset.shown === undefined ? rows.innerHTML === part.innerHTML : part.dataset.shown === rows.innerHTML
    if (isSame) continue
    if (part === log && !isForced && isRead()) {
      const count = numberOf(rows) - numberOf(log)
      fresh.hidden = count < 1
      fresh.textContent = `${count} new request${count === 1 ? '' : 's'}`
      continue
    }
    if (part === log) fresh.hidden = true
    const opened = [...part.querySelectorAll('details[open]')].map(({ id }) => id)
    part.dataset.shown = rows.innerHTML
    part.replaceChildren(...document.adoptNode(rows).childNodes)
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
  }
  while (!focused.isConnected && document.activeElement === document.body) document.getElementById(ids.shift())?.focus()
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

async function add (effect, label) {
  const isEvery = extent.value === 'every'
  if (!isEvery && !times.reportValidity()) return
  const rule = await send('POST', { path: path.value, ...isEvery ? {} : { times: times.valueAsNumber }, ...effect })
  const requests = isEvery ? 'every request' : times.valueAsNumber === 1 ? 'the next request' : `the next ${times.value} requests`
  if (rule) sayAdded(rule, `${label} for ${requests} to ${path.selectedOptions[0].text}`)
}

/** Adds a rule as it is: one for both of two requests that were sent at once. */
async function post (rule) {
  const added = await send('POST', rule)
  if (added) sayAdded(added, `for the next 2 requests to ${rule.path}`)
}

const sayAdded = ({ id }, words) => say(`Rule ${id} added: ${words}.`, false, () => send('DELETE', undefined, `/${id}`))

/** Adds the rule of the fields below "More". */
async function addMore () {
  const [code, retryAfter, delay, body] = ['code', 'retry-after', 'delay', 'body'].map(id => document.getElementById(id).value.trim())
  const effect = { ...body ? { body: JSON.parse(body) } : { code: Number(code) }, ...delay ? { delay: Number(delay) } : {} }
  await add({ ...effect, ...retryAfter && !body ? { retryAfter: Number(retryAfter) } : {} }, body ? 'custom JSON body' : code)
}

/** Adds a rule for the method, path, query and a chosen header of a request; masked values match anything. */
async function addAgain (row) {
  const [method, target] = ['b', 'code > span'].map(selector => row.querySelector(selector).textContent)
  const { pathname, searchParams } = new URL(target, location.href)
  const query = Object.fromEntries([...searchParams].filter(([name, value]) => !name.startsWith('__') && value !== '*'))
  const [effect, header] = row.querySelectorAll('select')
  const when = header?.value ? { when: JSON.parse(header.value) } : {}
  const rule = await send('POST', { method, path: pathname, query, ...when, ...JSON.parse(effect.value), times: 1 })
  const words = [`${effect.selectedOptions[0].text} for the next ${method} ${target}`, ...header?.value ? [header.selectedOptions[0].text] : []]
  if (rule) sayAdded(rule, words.join(' with '))
}

const rulesOf = async () => (await (await fetch(location.pathname, { headers: { accept: 'application/json' } })).json()).rules
const withoutState = ({ id, used, ...rule }) => rule

/** Deletes rules or requests. */
async function remove (ids) {
  const isRequests = ids[0] === 'requests'
  const deleted = isRequests ? [] : (await rulesOf()).filter(({ id }) => ids.includes(String(id)) || ids[0] === 'rules')
  for (const id of ids) if (!await send('DELETE', undefined, `/${id}`)) return
  const undo = deleted.length === 0 ? undefined : async () => { for (const rule of deleted) await send('POST', withoutState(rule)) }
  const words = ids.length > 1 || ids[0] === 'rules' ? 'Rules deleted.' : `Rule ${ids[0]} deleted.`
  say(isRequests ? 'Requests cleared.' : words, false, undo)
  await refresh(isRequests)
}

/** Copies a rule as code. */
function copy (id, isCurl) {
  const codeOf = async () => {
    const rule = withoutState((await rulesOf()).find(rule => rule.id === Number(id)) ?? {})
    const json = JSON.stringify(rule, null, 1).replace(/\n */g, ' ')
    if (!isCurl) return `server.simulate(${json.replaceAll('"__proto__":', '["__proto__"]:')})`
    const address = location.origin + location.pathname
    return `curl -H 'Content-Type: application/json' -d '${json.replaceAll("'", "'\\''")}' '${address}'`
  }
  return copyText(codeOf(), `Rule ${id} copied as ${isCurl ? 'curl' : 'test'}.`)
}

/** Copies a text; where there is no clipboard, as on plain HTTP, selects it. */
async function copyText (code, copied) {
  try {
    // WebKit and Firefox forget the click while a text is fetched, unless they get its promise.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': code.then(text => new Blob([text], { type: 'text/plain' })) })])
    text.textContent = await code
    say(copied)
  } catch {
    text.textContent = await code
    getSelection().selectAllChildren(text)
    say('Selected: press Ctrl+C.')
  }
  text.parentElement.hidden = false
}

/** Copies all rules as the file of --rules. */
function copyFile () {
  const text = rulesOf().then(rules => `${JSON.stringify(rules.map(withoutState), null, 2)}\n`)
  return copyText(text, 'Rules copied.')
}

function changeOf (button) {
  const { rule, post: twins, delete: id, used, test, curl, file } = button.dataset
  if (twins) return post(JSON.parse(twins))
  if (file !== undefined) return copyFile()
  if (rule) return add(JSON.parse(rule), button.firstElementChild.textContent)
  if (id || used) return remove((id ?? used).split(' '))
  if (test || curl) return copy(test ?? curl, curl !== undefined)
  if (button.matches('[data-again]')) return addAgain(button.closest('li'))
  if (button === fresh) return refresh(true)
  if (button === hold) {
    hold.setAttribute('aria-pressed', String(hold.getAttribute('aria-pressed') !== 'true'))
    return refresh()
  }
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('main button')
  if (button) changeOf(button)?.then(() => refresh()).catch(fail)
})
document.addEventListener('submit', event => {
  event.preventDefault()
  addMore().then(() => refresh()).catch(error => error instanceof SyntaxError ? say('The body must be JSON.', true) : fail())
})

function adapt () {
  const isEvery = extent.value === 'every'
  times.hidden = isEvery
  noun.textContent = isEvery || times.valueAsNumber === 1 ? 'request' : 'requests'
}
document.addEventListener('input', adapt)
addEventListener('pageshow', adapt) // after Back, browsers restore the controls

async function follow () {
  if (document.visibilityState === 'visible') await refresh().catch(fail)
  setTimeout(follow, pause)
}

follow()
