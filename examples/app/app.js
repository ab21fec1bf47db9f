// A client of the bicycle catalogue, in a page that may come from anywhere: it lists, orders and pages bikes, shows one, and says
// what is wrong when the server or the network does not do what it should.

const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const bikes = document.querySelector('#bikes')
const pages = document.querySelector('nav')
const dialog = document.querySelector('dialog')

/** How long an answer may take in full, in milliseconds. */
const patience = 5000
/** How often a busy server is asked, and the longest wait in between that it may ask for, in seconds. */
const attempts = 4
const longestWait = 120

let links = {}
let underWay = new AbortController()

/** What a person is told; anything else is a fault of this page. */
class Trouble extends Error {}

const refusals = {
  401: 'This list needs a valid token.',
  403: 'This token may not read the list.',
  404: 'There is no such page.',
  429: 'Too many requests. Try again later.',
  503: 'The server is busy. Try again later.'
}

/** The first page of the list that the form asks for. */
function firstPage () {
  const { server, token, ordering } = form.elements
  const address = new URL(token.value === '' ? '/api/v1/bikes/' : '/api/v2/bikes/', server.value)
  address.searchParams.set('page', '1')
  if (ordering.value !== '') address.searchParams.set('ordering', ordering.value)
  return address
}

async function load (address) {
  underWay.abort()
  const { signal } = underWay = new AbortController()
  bikes.setAttribute('aria-busy', 'true')
  status.textContent = 'Loading…'
  try {
    const answer = await ask(address, signal)
    if (!signal.aborted) show(answer)
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof Trouble)) throw error
    status.textContent = error.message
    bikes.replaceChildren()
    pages.hidden = true
  } finally {
    if (!signal.aborted) bikes.removeAttribute('aria-busy')
  }
}

/** Asks again where a server that is busy says when. */
async function ask (address, signal) {
  for (let attempt = 1; ; attempt++) {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    // An answer in the browser's cache was made for nobody's preferences.
    const request = { headers: headers(), signal: inTime, cache: 'no-store' }
    const answer = await fetch(address, request).catch(error => { throw troubleOf(error, 'The server cannot be reached.') })
    const wait = Number(answer.headers.get('retry-after'))
    const isBusy = (answer.status === 429 || answer.status === 503) && wait > 0 && wait <= longestWait
    if (!isBusy || attempt === attempts) return await read(answer)
    status.textContent = `The server is busy. Asking again in ${wait} s.`
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

async function read (answer) {
  const text = await answer.text().catch(error => { throw troubleOf(error, 'The response broke off.') })
  if (!answer.ok) throw new Trouble(refusals[answer.status] ?? `The server has ${answer.status < 500 ? 'refused' : 'failed'} (${answer.status}).`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Trouble('The response is not valid JSON.')
  }
}

function troubleOf ({ name }, otherwise) {
  return new Trouble(name === 'TimeoutError' ? `There was no response within ${patience / 1000} seconds.` : otherwise)
}

function show ({ count, next, previous, results }) {
  links = { next, previous }
  status.textContent = count === 1 ? '1 bike' : `${count} bikes`
  bikes.replaceChildren(...results.map(card))
  pages.hidden = next === null && previous === null
  for (const way of ['next', 'previous']) document.querySelector(`#${way}`).disabled = links[way] === null
  document.querySelector('#place').textContent = `Page ${next === null ? pageOf(previous) + 1 : pageOf(next) - 1}`
}

/** The number of the page that a link leads to; the first one's has none, and null, which is none at all, is before it. */
function pageOf (link) {
  return link === null ? 0 : Number(new URL(link).searchParams.get('page') ?? 1)
}

function card (bike) {
  const button = element('button', picture(bike), element('span', bike.title), element('small', `${bike.brand} ${bike.year}`))
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
  dialog.replaceChildren(title, picture(bike), element('p', bike.description), element('dl', ...known.flatMap(([name, value]) => [element('dt', name), element('dd', value)])), close)
  dialog.showModal()
}

function picture ({ featured_image: address, title }) {
  const image = document.createElement('img')
  image.src = address
  image.alt = title
  image.loading = 'lazy'
  return image
}

function element (name, ...content) {
  const made = document.createElement(name)
  made.append(...content)
  return made
}

form.addEventListener('submit', event => {
  event.preventDefault()
  load(firstPage())
})
form.elements.ordering.addEventListener('change', () => load(firstPage()))
// The link to the first page has no `page`, without which the whole list would come as an array.
document.querySelector('#next').addEventListener('click', () => load(links.next))
document.querySelector('#previous').addEventListener('click', () => load(pageOf(links.previous) === 1 ? firstPage() : links.previous))

form.elements.server.value = new URLSearchParams(location.search).get('server') ?? form.elements.server.value
load(firstPage())
