// Enhances pages: copy buttons, tabs, forms that tell their URL, a filter for contents, and version 2.1 pages, which send the token in a
// header. The token stays in the tab's session storage.

const tokenKey = 'bicycle-catalogue token'
const base = new URL('..', import.meta.url) // this script is at /assets/, below the base path if there is one
const isProtected = address => address.href.startsWith(base.href + 'api/v2/')
const find = selector => document.querySelector(selector)
const placeOf = ({ pathname, search }) => pathname + search
let shown = placeOf(location)

/** Creates a button that copies the text of an element. */
function copyButton (source) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy slim'
  const say = (word, what = ' ' + source.dataset.copy) => {
    button.textContent = word
    button.setAttribute('aria-label', word + what)
    button.classList.toggle('copied', word !== 'Copy')
  }
  say('Copy')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent.trim())
      say('Copied')
    } catch { // plain HTTP has no clipboard
      getSelection().selectAllChildren(source)
      say('Selected: press Ctrl+C', '')
    }
    setTimeout(say, 4000, 'Copy')
  })
  return button
}

/** Puts the logo in place of an image that cannot be loaded. */
function replaceImage (image) {
  const blank = document.createElement('span')
  blank.className = 'blank'
  blank.append(find('.brand .mark').cloneNode())
  image.replaceWith(blank)
}

function tell (text) {
  find('.toast')?.remove()
  const notice = document.createElement('p')
  notice.className = 'toast'
  notice.setAttribute('role', 'alert')
  notice.textContent = text
  find('main').append(notice)
}

function dress () {
  for (const source of document.querySelectorAll('main [data-copy]')) {
    const heading = source.closest('.titled')?.querySelector('.over')
    if (heading) heading.append(copyButton(source))
    else source.parentElement.prepend(copyButton(source))
  }
  for (const image of document.querySelectorAll('main img:not(.mark)')) {
    if (image.complete && image.naturalWidth === 0 && image.currentSrc) replaceImage(image)
  }
  const current = find('.chips [aria-current]')
  if (current) centre(current)
  markTab()
}

/** Tells assistive technology which part of a response is shown; for eyes, the style sheet does. */
function markTab () {
  const tabs = [...document.querySelectorAll('.tabs a')]
  const current = tabs.find(({ hash }) => hash === location.hash) ?? tabs[0]
  for (const tab of tabs) {
    if (tab === current) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
}

/** Scrolls the lists of the navigation; browsers do not for a link that is partly in sight. */
function centre (link) {
  const lists = link.parentElement
  lists.scrollLeft = link.offsetLeft - (lists.clientWidth - link.offsetWidth) / 2
}

const queryOf = form => new URLSearchParams(new FormData(form))

/** Shows the URL of the request that a form would send. */
function tellUrl (form) {
  const line = find('.line')
  const query = queryOf(form)
  query.delete('format')
  const text = line.querySelector('code').lastChild
  text.data = text.data.replace(/\?.*/s, '') + (String(query) && '?' + query)
  query.set('format', 'json')
  line.querySelector('a').search = query
}

/** Keeps what has been typed when the records of the response change. */
function keepTyped (link) {
  const form = find('#options')
  if (!form) return
  const query = queryOf(form)
  for (const name of ['page', 'page_size']) {
    const value = new URL(link.href).searchParams.get(name)
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  link.search = query
}

function filterContents (text) {
  const wanted = text.trim().toLowerCase()
  for (const item of document.querySelectorAll('.contents li')) item.hidden = !item.textContent.toLowerCase().includes(wanted)
}

const withToken = accept => ({ headers: { accept, authorization: 'Token ' + sessionStorage.getItem(tokenKey) } })

/** Opens JSON that a browser itself would request without the token. */
async function openJson (address) {
  const response = await fetch(address, withToken('application/json'))
  const file = URL.createObjectURL(await response.blob())
  if (open(file) === null) location.assign(file)
}

function show (address, isNew) {
  const main = find('main')
  main.setAttribute('aria-busy', 'true')
  load(main, address, isNew).catch(() => {
    main.removeAttribute('aria-busy')
    main.classList.remove('opening')
    tell('The server cannot be reached.')
  })
}

async function load (main, address, isNew) {
  const token = sessionStorage.getItem(tokenKey)
  const response = await fetch(address, withToken('text/html'))
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (isNew) history.pushState(null, '', address)
  shown = placeOf(location)
  document.title = page.title
  const hadFocus = main.contains(document.activeElement)
  main.replaceWith(document.adoptNode(page.querySelector('main')))
  dress()
  if (response.status === 401) {
    const field = find('#token')
    sessionStorage.removeItem(tokenKey)
    field.value = token
    field.focus()
  } else if (location.hash) location.replace(location.href) // the part that it names is new
  else if (isNew || hadFocus) { scrollTo(0, 0); find('main').focus({ preventScroll: true }) }
}

document.addEventListener('formdata', ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
})

document.addEventListener('input', ({ target }) => {
  if (target.id === 'filter') filterContents(target.value)
  if (target.form?.matches('.controls')) tellUrl(target.form)
})

document.addEventListener('submit', event => {
  const form = event.target
  if (form.matches('[data-token]')) {
    event.preventDefault()
    sessionStorage.setItem(tokenKey, new FormData(form).get('token').trim())
    const address = new URL(form.dataset.token || location.href, location.href)
    if (isProtected(new URL(location.href))) show(address, false)
    else location.assign(address)
  } else if (form.method === 'get' && isProtected(new URL(form.action)) && sessionStorage.getItem(tokenKey)) {
    event.preventDefault()
    const address = new URL(form.action)
    address.search = queryOf(form)
    show(address, true)
  }
})

document.addEventListener('click', event => {
  if (event.target.closest('[data-forget]')) {
    sessionStorage.removeItem(tokenKey)
    location.reload()
  }
  const link = event.target.closest('a[href]')
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (link.matches('.extent a')) keepTyped(link)
  const address = new URL(link.href)
  const isHere = address.hash !== '' && placeOf(address) === placeOf(location)
  if (isHere || !isProtected(address) || !isProtected(new URL(location.href)) || !sessionStorage.getItem(tokenKey)) return
  event.preventDefault()
  if (address.searchParams.get('format') === 'json') openJson(address).catch(() => tell('The server cannot be reached.'))
  else show(address, true)
})

document.addEventListener('error', ({ target }) => {
  if (target.matches?.('main img:not(.mark)')) replaceImage(target)
}, true)

document.addEventListener('focusin', ({ target }) => { if (target.matches('.chips a:focus-visible')) centre(target) })

addEventListener('hashchange', markTab)
addEventListener('popstate', () => { if (isProtected(new URL(location.href)) && placeOf(location) !== shown) location.reload() })

dress()
const asksToken = find('main #token') && isProtected(new URL(location.href))
if (asksToken && sessionStorage.getItem(tokenKey)) {
  find('main').classList.add('opening')
  show(location.href, false)
}
