import { test } from 'tap'
import type { Asked } from '../../src/lists/question.ts'
import { createRepresentations } from '../../src/lists/representation.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { catalogue } from '../helper.ts'

const bikes = resources[0] as Resource

function ask (origin: string): Asked {
  return { format: 'json', indent: 0, resource: bikes, origin, target: bikes.path, query: new URLSearchParams(), terms: [], filters: [], page: undefined, canonical: bikes.path, key: `${origin} ${bikes.path}` }
}

test('a representation is made once while there is room', async t => {
  const representation = createRepresentations(catalogue, () => '')
  t.equal(representation(ask('http://a')), representation(ask('http://a')))
  t.not(representation(ask('http://a')), representation(ask('http://b')))
})

test('what is kept is bounded in bytes: the least recently used goes', async t => {
  const { length } = createRepresentations(catalogue, () => '')(ask('http://a')).body
  const representation = createRepresentations(catalogue, () => '', Math.round(2.5 * length))
  const [a, b] = [representation(ask('http://a')), representation(ask('http://b'))]
  t.equal(representation(ask('http://a')), a, 'two have room')
  representation(ask('http://c'))
  t.equal(representation(ask('http://a')), a, 'what was used last stays')
  t.not(representation(ask('http://b')), b, 'what was not is made anew')
})
