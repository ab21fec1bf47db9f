import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'tap'
import { curlLine, type CurlRequest } from '../../src/client/curl.ts'

const cases: [request: CurlRequest, line: string][] = [
  [{ address: 'http://h/a?b=c' }, "curl 'http://h/a?b=c'"],
  [{ method: 'HEAD', address: 'http://h/' }, "curl --head 'http://h/'"],
  [
    { method: 'OPTIONS', address: 'http://h/', authorization: 'Token $TOKEN' },
    'curl -X \'OPTIONS\' -H "Authorization: Token $TOKEN" \'http://h/\''
  ],
  [
    { address: 'http://h/', headers: { Authorization: 'Token abc', Accept: 'text/html' } },
    "curl -H 'Authorization: Token abc' -H 'Accept: text/html' 'http://h/'"
  ],
  [{ address: "http://h/?a=it's" }, "curl 'http://h/?a=it'\\''s'"],
  [{ address: 'http://[::1]:3000/' }, "curl 'http://[::1]:3000/'"],
  [{ address: 'http://[::1]:3000/?a[]=1' }, "curl --globoff 'http://[::1]:3000/?a[]=1'"]
]

test('a request as a command', async t => {
  for (const [request, line] of cases) t.equal(curlLine(request), line, line)
})

/** Returns the words that a shell reads in each command. */
function wordsOf (lines: readonly string[]): string[][] {
  const script = `curl () { printf '%s\\0' "$#" "$@"; }\n${lines.join('\n')}`
  const read = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { TOKEN: 'from the shell' } }).split('\0')
  return lines.map(() => read.splice(0, Number(read.shift())))
}

test('a shell reads exactly the given words, whatever characters they contain', async t => {
  const hostile = fc.constantFrom(
    "'", '"', '`id`', '$(id)', '$TOKEN', '\\', '\n', ' ', '!', ';', '&', '|', '*', '~', '#', '%0', "'\\''", 'ü', '{}',
    '[1-3]'
  )
  const text = fc.array(fc.oneof(hostile, fc.string())).map(parts => parts.join('').replaceAll('\0', ''))
  const asked = fc.record({
    path: text,
    token: text,
    value: text,
    method: text.filter(method => !['GET', 'HEAD'].includes(method))
  })
  fc.assert(fc.property(fc.array(asked, { minLength: 20, maxLength: 40 }), requests => {
    const lines = requests.map(({ path, token, value, method }) => curlLine({
      method,
      address: `http://h/${path}`,
      headers: { Authorization: `Token ${token}`, 'X-Y': value }
    }))
    const expected = requests.map(({ path, token, value, method }) => [
      .../[{}[\]]/.test(path) ? ['--globoff'] : [],
      '-X', method,
      '-H', `Authorization: Token ${token}`,
      '-H', `X-Y: ${value}`,
      `http://h/${path}`
    ])
    t.same(wordsOf(lines), expected)
  }), { numRuns: 20 })
  t.same(wordsOf([curlLine({ address: 'http://h/', authorization: 'Token $TOKEN' })]), [
    ['-H', 'Authorization: Token from the shell', 'http://h/']
  ])
})
