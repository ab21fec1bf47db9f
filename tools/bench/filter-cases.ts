import type { StoredBike, StoredBikeDetail } from '../../schemas/stored.ts'

/** A stored bike with its details of v2.1. */
export type WholeBike = StoredBike & Omit<StoredBikeDetail, 'id'>

/** A filter of v2 bikes, unique for each number, and its equivalent for Array.filter. */
export type FilterCase = { name: string, query: (n: number) => string, fits: (n: number) => (bike: WholeBike) => boolean }

const has = (text: string, word: string) => text.toLowerCase().includes(word)

export const filterCases: readonly FilterCase[] = [
  {
    name: 'brand, year, view_count; by title',
    query: n => `brand=trek,canyon&year__gte=2020&view_count__gte=${n}&ordering=title`,
    fits: n => ({ brand, year, view_count: views }) => ['trek', 'canyon'].includes(brand.toLowerCase()) && year >= 2020 && views >= n
  },
  {
    name: 'price, weight; by -price',
    query: n => `price__gte=${1000 + n}&weight_kg__lte=9.5&ordering=-price`,
    fits: n => ({ price, weight_kg: weight }) => price !== null && Number(price) >= 1000 + n && weight !== null && Number(weight) <= 9.5
  },
  {
    name: 'search of two words, view_count',
    query: n => `search=carbon%20race&view_count__gte=${n}`,
    fits: n => ({ title, brand, model_name: model, description, view_count: views }) => views >= n &&
      ['carbon', 'race'].every(word => has(title, word) || has(brand, word) || has(model, word) || has(description, word))
  }
]
