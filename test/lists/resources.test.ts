import { test } from 'tap'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { buildLogged } from '../helper.ts'

const wheels = resources.find(({ key }) => key === 'wheels') as Resource

// Its page looks like that of the wheels: the compiler requires a look for each key (Record<ListKey, …>).
const added: Resource = {
  ...wheels, name: 'Spare Wheel List', shortName: 'Spares', about: 'Wheels for a bad day.',
  path: '/api/v1/spare-wheels/'
}

test('another row makes another list, with its JSON, its page and links to it', async t => {
  const rows = resources as Resource[]
  rows.push(added)
  t.teardown(() => rows.pop())
  const { app } = await buildLogged(t)
  t.same((await app.inject(added.path)).json(), (await app.inject(wheels.path)).json())
  const page = await app.inject(`${added.path}?format=api`)
  for (const text of [added.shortName, added.about]) t.match(page, { statusCode: 200, body: text }, text)
  t.match((await app.inject('/')).body, added.path)
  t.same((await app.inject({ method: 'OPTIONS', url: added.path })).json().name, added.name)
  for (const { about, path } of resources) {
    t.match(about, /^[A-Z].{15,}\.$/, `${path} has a description of one sentence`)
  }
})
