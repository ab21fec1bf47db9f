import { test } from 'tap'
import { parseQuery, writeQuery } from '../../src/http/target.ts'

const written: [sent: string, written: string][] = [
  ['', ''],
  ['flag', 'flag='],
  ['a=1;b=2', 'a=1%3Bb%3D2'],
  ['x=%FF', 'x=%EF%BF%BD'],
  ['x[]=1', 'x%5B%5D=1'],
  ['?a', '%3Fa='],
  ['z=1&a=%20b+c&e=&u=%C3%A9&x=2&x=1&B=1', 'B=1&a=+b+c&e=&u=%C3%A9&x=2&x=1&z=1'],
  ['x=%2F%3A~-_.!*()%27', 'x=%2F%3A~-_.%21%2A%28%29%27'],
  ['a=%zz&%&=&&', '=&%25=&a=%25zz'],
  ['__proto__=1&constructor=2', '__proto__=1&constructor=2'],
  ['%F0%9D%84%9E=1&%EF%BF%BD=2', '%EF%BF%BD=2&%F0%9D%84%9E=1']
]

test('a query is parsed and formatted as in the reference', async t => {
  for (const [sent, expected] of written) t.equal(writeQuery(parseQuery(sent) as URLSearchParams), expected, sent)
})
