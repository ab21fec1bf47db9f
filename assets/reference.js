// What the reference gains where scripts run: answers are shown in place, and the token goes into its header.

import { curlLine } from './curl.js'
import { piecesOf } from './json.js'
import { copyButton } from './page.js'

const tokenKey = 'bicycle-catalogue token'
const shownCharacters = 20000

// What is the same on every answer and says nothing of this one.
const everywhere = /^(access-control|content-security|referrer|x-content-type|x-frame|keep-alive|connection)/

function element (name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const elements = { name: 'b', string: 'i', word: 'var' }

function highlight (json) {
  const pieces = [...piecesOf(json)].map(({ kind, text }) => kind in elements ? element(elements[kind], {}, text) : text)
  return element('pre', { tabIndex: 0 }, ...pieces)
}

function bodyOf (text, type) {
  if (text === '') return ''
  const isJson = type.startsWith('application/json')
  const whole = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
  const shown = whole.slice(0, shownCharacters)
  const body = element('div', { className: 'json' }, isJson ? highlight(shown) : element('pre', { tabIndex: 0 }, shown))
  const rest = (whole.length - shown.length).toLocaleString('en')
  if (whole !== shown) body.append(element('p', { className: 'small' }, '… and ' + rest + ' characters more'))
  return body
}

async function send (form) {
  const fields = new FormData(form)
  for (const [name, value] of [...fields]) if (value === '') fields.delete(name)
  const query = new URLSearchParams(fields)
  const isPost = form.method === 'post'
  const target = new URL(form.action).pathname + (isPost || query.size === 0 ? '' : '?' + query)
  const headers = { accept: query.get('format') === 'api' ? 'text/html' : 'application/json' }
  for (const field of form.querySelectorAll('[data-header]')) if (field.value !== '') headers[field.dataset.header] = field.value.trim()
  const token = form.querySelector('[data-token-field]')
  if (token) {
    const text = token.value.trim().replace(/^token\s+/i, '')
    if (text === '') sessionStorage.removeItem(tokenKey)
    else { sessionStorage.setItem(tokenKey, text); headers.authorization = 'Token ' + text }
  }
  const started = performance.now()
  const answer = await fetch(target, { method: form.method, headers, body: isPost ? query : undefined })
  const text = await answer.text()
  const time = Math.round(performance.now() - started)
  const type = answer.headers.get('content-type') ?? ''
  if (isPost && answer.ok) keep(JSON.parse(text).token)
  const list = element('dl', { className: 'headers' })
  for (const [name, value] of answer.headers) {
    if (!everywhere.test(name)) list.append(element('dt', {}, name), element('dd', {}, value))
  }
  const status = element('span', { className: 'status status-' + String(answer.status)[0] }, answer.status + ' ' + answer.statusText)
  const { accept, authorization, ...others } = headers
  const command = curlLine({
    address: location.origin + target,
    token: authorization && true,
    headers: others,
    form: isPost ? Object.fromEntries(fields) : {}
  })
  const panel = element('div', { className: 'exchange' },
    element('p', { className: 'ask' }, element('code', {}, element('b', {}, form.method.toUpperCase()), ' ' + target)),
    element('details', { open: true }, element('summary', {}, status, ' ', element('span', { className: 'muted' }, time + ' ms')), list),
    commandLine(command))
  return [panel, bodyOf(text, type)]
}

function commandLine (command) {
  const source = element('pre', {}, command)
  source.dataset.copy = 'the command that was sent'
  return element('div', { className: 'command' }, source, copyButton(source))
}

function keep (token) {
  sessionStorage.setItem(tokenKey, token)
  for (const field of document.querySelectorAll('[data-token-field]')) field.value = token
}

document.addEventListener('submit', async event => {
  const form = event.target
  if (!form.matches('[data-try]')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const place = form.nextElementSibling
  place.setAttribute('aria-busy', 'true')
  try {
    place.replaceChildren(...await send(form))
  } catch {
    place.replaceChildren(element('p', { className: 'fault' }, 'The server cannot be reached.'))
  }
  place.removeAttribute('aria-busy')
}, true)

for (const example of document.querySelectorAll('[data-json]')) example.replaceChildren(...highlight(example.textContent).childNodes)
for (const form of document.querySelectorAll('[data-try]')) {
  const place = element('div', { className: 'answer' })
  place.setAttribute('role', 'status')
  form.after(place)
}
for (const hidden of document.querySelectorAll('main [data-scripted]')) hidden.hidden = false
for (const field of document.querySelectorAll('[data-try] :disabled')) field.disabled = false
for (const field of document.querySelectorAll('[data-token-field]')) field.value = sessionStorage.getItem(tokenKey) ?? ''
