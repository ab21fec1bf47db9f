import { test } from 'tap'
import { parametersIn } from '../../src/recorded/queries.ts'

test('the parameters of a link are those without its page and its fragment', async t => {
  t.equal(parametersIn('/x/?page=2&per_page=12#results'), 'per_page=12')
  t.equal(parametersIn('/x/?cursor=abc'), '')
})
