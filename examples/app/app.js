// A client of the bicycle catalogue that runs on any origin. It lists, sorts and pages bikes, shows the details of
// one, and reports failures of the server and the network. Start the server with npx bicycle-catalogue dev, and open
// index.html in a browser.

const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const bikes = document.querySelector('#bikes')
const pages = document.querySelector('nav')
const dialog = document.querySelector('dialog')

/** The timeout of a whole response, in milliseconds. */
const timeout = 5000
/** The most requests to a busy server. */
const attempts = 4
/** The longest Retry-After that the app waits for, in seconds. */
const longestWait = 120

let links = {}
let loading = new AbortController()

/** A failure whose message the app shows. Any other error is a bug in this app. */
class Failure extends Error {}

const refusals = {
  401: 'This list needs a valid token.',
  403: 'This token may not read the list.',
  404: 'There is no such page.',
  429: 'Too many requests. Try again later.',
  503: 'The server is busy. Try again later.'
}

/** Returns the URL of the first page of the list in the form. */
function firstPage () {
  const { server, token, ordering } = form.elements
  const url = new URL(token.value === '' ? '/api/v1/bikes/' : '/api/v2/bikes/', server.value)
  url.searchParams.set('page', '1')
  if (ordering.value !== '') url.searchParams.set('ordering', ordering.value)
  return url
}

async function load (url) {
  loading.abort()
  const { signal } = loading = new AbortController()
  bikes.setAttribute('aria-busy', 'true')
  status.textContent = 'Loading…'
  try {
    const list = await request(url, signal)
    if (!signal.aborted) show(list)
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof Failure)) throw error
    status.textContent = error.message
    bikes.replaceChildren()
    pages.hidden = true
  } finally {
    if (!signal.aborted) bikes.removeAttribute('aria-busy')
  }
}

/** Requests a list. Retries after the Retry-After of a busy server. */
async function request (url, signal) {
  for (let attempt = 1; ; attempt++) {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    // The browser's cache may have a response without a failure for the same URL.
    const options = { headers: headers(), signal: inTime, cache: 'no-store' }
    const response = await fetch(url, options).catch(() => { throw failureOf(inTime, 'The server cannot be reached.') })
    const wait = Number(response.headers.get('retry-after'))
    const isBusy = (response.status === 429 || response.status === 503) && wait > 0 && wait <= longestWait
    if (!isBusy || attempt === attempts) return await read(response, inTime)
    status.textContent = `The server is busy. Retrying in ${wait} s.`
    await new Promise(resolve => setTimeout(resolve, wait * 1000))
    signal.throwIfAborted()
  }
}

function headers () {
  const { token, prefer } = form.elements
  return {
    ...token.value === '' ? {} : { authorization: `Token ${token.value}` },
    ...prefer.value === '' ? {} : { prefer: prefer.value }
  }
}

async function read (response, signal) {
  const text = await response.text().catch(() => { throw failureOf(signal, 'The response broke off.') })
  if (!response.ok) {
    const failed = response.status < 500 ? 'rejected the request' : 'failed'
    throw new Failure(refusals[response.status] ?? `The server ${failed} (${response.status}).`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('The response is not valid JSON.')
  }
}

/** Returns a failure: a timeout if the signal was aborted, because the name of the error differs between browsers. */
function failureOf ({ aborted }, otherwise) {
  return new Failure(aborted ? `There was no response within ${timeout / 1000} seconds.` : otherwise)
}

function show ({ count, next, previous, results }) {
  links = { next, previous }
  status.textContent = count === 1 ? '1 bike' : `${count} bikes`
  bikes.replaceChildren(...results.map(card))
  pages.hidden = next === null && previous === null
  for (const way of ['next', 'previous']) document.querySelector(`#${way}`).disabled = links[way] === null
  document.querySelector('#place').textContent = `Page ${next === null ? pageOf(previous) + 1 : pageOf(next) - 1}`
}

/** Returns the page number of a link: 1 without a number, 0 for null. */
function pageOf (link) {
  return link === null ? 0 : Number(new URL(link).searchParams.get('page') ?? 1)
}

function card (bike) {
  const about = element('small', `${bike.brand} ${bike.year}`)
  const button = element('button', image(bike), element('span', bike.title), about)
  button.addEventListener('click', () => open(bike))
  return element('li', button)
}

function open (bike) {
  const title = element('h2', bike.title)
  title.id = 'title'
  const facts = {
    Brand: bike.brand,
    Year: bike.year,
    Colour: bike.colour,
    Frame: bike.frame_material,
    Wheels: bike.wheels?.model_name,
    Groupset: bike.groupset?.model_name,
    Price: bike.price,
    Rating: bike.rating
  }
  const known = Object.entries(facts).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  const close = element('button', 'Close')
  close.addEventListener('click', () => dialog.close())
  const terms = known.flatMap(([name, value]) => [element('dt', name), element('dd', value)])
  dialog.replaceChildren(title, image(bike), element('p', bike.description), element('dl', ...terms), close)
  dialog.showModal()
}

function image ({ featured_image: url, title }) {
  const image = document.createElement('img')
  image.src = url
  image.alt = title
  image.loading = 'lazy'
  return image
}

function element (name, ...content) {
  const created = document.createElement(name)
  created.append(...content)
  return created
}

form.addEventListener('submit', event => {
  event.preventDefault()
  load(firstPage())
})
form.elements.ordering.addEventListener('change', () => load(firstPage()))
// The link to the first page has no `page`, so its response would be the whole list as an array.
document.querySelector('#next').addEventListener('click', () => load(links.next))
document.querySelector('#previous').addEventListener('click', () => {
  load(pageOf(links.previous) === 1 ? firstPage() : links.previous)
})

form.elements.server.value = new URLSearchParams(location.search).get('server') ?? form.elements.server.value
load(firstPage())
