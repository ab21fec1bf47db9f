import { html } from 'ghtml'
import { resources, type Resource } from '../lists/resources.ts'

type List = { name: string, about: string }

/** What a list is called where there is little room, and what it holds. */
const lists: Readonly<Record<string, List>> = {
  '/api/v1/bikes/': { name: 'Bikes', about: 'Every bike, with its wheels, tyre and groupset in full.' },
  '/api/v1/bikes/featured/': { name: 'Featured', about: 'The bikes that the catalogue puts in its window, in its own order.' },
  '/api/v1/wheels/': { name: 'Wheels', about: 'Wheels by the pair: rims, spokes, axles and weight.' },
  '/api/v1/tyres/': { name: 'Tyres', about: 'Tyres with their widths, treads and protection.' },
  '/api/v1/chains/': { name: 'Chains', about: 'Chains, and a belt that stands in for one.' },
  '/api/v1/groupsets/': { name: 'Groupsets', about: 'Groupsets, each with its chain.' },
  '/api/v1/brakes/': { name: 'Brakes', about: 'Brakes by their make.' },
  '/api/v1/saddles/': { name: 'Saddles', about: 'Saddles by their make.' },
  '/api/v1/handlebars/': { name: 'Handlebars', about: 'Handlebars by their make.' },
  '/api/v2/bikes/': { name: 'Bikes 2.1', about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.' }
}

/** Gives the short name of a list. */
export function nameOf ({ path }: Resource): string {
  return (lists[path] as List).name
}

/** Gives a sentence on what a list holds. */
export function aboutOf ({ path }: Resource): string {
  return (lists[path] as List).about
}

/** Gives the way from list to list. */
export function listsNavigation (path: string): string {
  return html`<nav class="chips" aria-label="Lists">
!${resources.map(resource => html`<a href="${resource.path}?format=api"!${resource.path === path ? ' aria-current="page"' : ''}>${nameOf(resource)}</a>
`)}</nav>
`
}
