import { test } from 'tap'
import { parametersOf } from '../../scripts/openapi/parameters.ts'
import { bikeFilters } from '../../src/lists/bike-fields.ts'
import { equal, filtersOf, type FilterKind, type FilterRow } from '../../src/lists/filter.ts'
import { numberField } from '../../src/lists/readers.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { build } from '../helper.ts'

const bikes = resources.find(({ filters }) => Object.keys(filters).length > 0) as Resource

/** A value of each kind, and an invalid one where there is any. */
const values: Readonly<Record<FilterKind, readonly [valid: string, invalid?: string]>> = {
  search: ['carbon'], anyOf: ['x'], boolean: ['true', 'x'], integer: ['1', 'x'], decimal: ['1.5', 'x'], date: ['2024-02-29', 'x']
}

test('a filter is one row: JSON, OpenAPI, the form, the active filters and strict errors know it', async t => {
  const { filters, fields } = bikes
  t.teardown(() => Object.assign(bikes, { filters, fields }))
  const added: FilterRow[] = [equal('added_by'), { name: 'min_w', fields: ['weight_kg'], comparison: 'atLeast' }]
  Object.assign(bikes, { filters: filtersOf([...bikeFilters, ...added], bikes.record), fields: { ...fields, added_by: numberField('added_by') } })
  const app = await build(t, { tokens: ['one'] })
  const get = async (query: string, prefer = '') => app.inject({ url: `${bikes.path}?${query}`, headers: { authorization: 'Token one', prefer } })
  const documented = new Map(parametersOf(bikes).map(({ name, description }) => [name, String(description)]))
  for (const { name, kind, fields, comparison, words } of Object.values(bikes.filters)) {
    const [valid, invalid] = values[kind]
    const strict = await get(`${name}=${valid}`, 'handling=strict')
    t.equal(strict.statusCode, 200, `${name} is known`)
    for (const field of fields) t.match(documented.get(name), `\`${field}\``, `${name} in OpenAPI`)
    const page = (await get(`format=api&${name}=${valid}`)).body
    const label = comparison === 'equal' ? '' : `aria-label="${words}"`
    t.match(page, new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*${label}`), `${name} in the form`)
    t.match(page, `<code>${name}=<bdi>${valid}</bdi></code>`, `${name} among the active filters`)
    if (invalid === undefined) continue
    const refused = await get(`${name}=${invalid}`)
    t.same([refused.statusCode, Object.keys(refused.json<object>())], [400, [name]], `${name} with an invalid value`)
  }
  const weights = (await get('min_w=9')).json<{ weight_kg: string | null }[]>().map(bike => Number(bike.weight_kg))
  t.ok(weights.length > 0 && weights.every(weight => weight >= 9), weights.join())
})
