// The pages of the reference: marks the section in view in the table of contents.

const links = [...document.querySelectorAll('.contents a[href^="#"]')]
const parts = links.map(link => document.getElementById(link.hash.slice(1)))

function mark () {
  const current = links[parts.findLastIndex(part => part.getBoundingClientRect().top < innerHeight / 3)]
  const marked = links.find(link => link.hasAttribute('aria-current'))
  if (current === marked) return
  marked?.removeAttribute('aria-current')
  current?.setAttribute('aria-current', 'location')
  const contents = document.querySelector('.contents')
  if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2
}

const [fold, wide] = [document.querySelector('.contents details'), matchMedia('(min-width: 60.01rem)')]
const unfold = () => { fold.open = wide.matches }
unfold()
wide.addEventListener('change', unfold)

const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -66%' })
for (const part of parts) observer.observe(part)
