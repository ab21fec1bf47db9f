import { test } from 'tap'
import { join } from 'node:path'
import { attempt } from '../../src/base/attempt.ts'
import {
  type Kind, baseUrl, fromFile, gatewayUrl, host, listener,
  onOff, oneOf, proxies, redisUrl, text, tokenLines, tokenList,
  wholeNumber, word
} from '../../src/settings/kinds.ts'

type Case = { kind: Kind<unknown>, expects: string, right: [string, unknown][], wrong: string[] }

const cases: Case[] = [
  {
    kind: wholeNumber(0, 65535), expects: 'an integer from 0 to 65535',
    right: [['0', 0], ['3000', 3000], ['65535', 65535], ['080', 80]],
    wrong: ['', 'abc', '-1', '65536', '1e3', '3000.5', '0x10', ' 1', '٣', '9'.repeat(400)]
  },
  {
    kind: oneOf(['trace', 'info', 'silent']), expects: 'trace, info or silent',
    right: [['info', 'info']],
    wrong: ['', 'Info', 'constructor']
  },
  {
    kind: onOff, expects: 'on or off',
    right: [
      ...['on', 'true', 'yes', '1', 'ON', 'True'].map((text): [string, boolean] => [text, true]),
      ...['off', 'false', 'no', '0'].map((text): [string, boolean] => [text, false])
    ],
    wrong: ['', 'enabled', '2', 'constructor', '__proto__']
  },
  { kind: text('a directory'), expects: 'a directory', right: [['./my bikes', './my bikes']], wrong: [''] },
  {
    kind: host, expects: 'a host name or an IP address',
    right: [
      ['127.0.0.1', '127.0.0.1'], ['::', '::'], ['[::1]', '::1'],
      ['fe80::1%eth0', 'fe80::1%eth0'], ['my_host.lan', 'my_host.lan']
    ],
    wrong: ['', 'http://localhost', 'localhost:3000', '[localhost:1]', 'a..b', '.', 'a b', '*']
  },
  {
    kind: listener, expects: 'a port from 0 to 65535, or a host and a port such as 0.0.0.0:9464',
    right: [
      ['9464', 9464], ['0.0.0.0:9464', '0.0.0.0:9464'], ['[::]:0', '[::]:0'], ['::1:80', '::1:80'],
      ['my_host.lan:1', 'my_host.lan:1']
    ],
    wrong: ['', ':9464', 'localhost', 'localhost:', 'localhost:65536', '65536', 'http://localhost:1', 'a b:1', '1:2:3']
  },
  {
    kind: baseUrl, expects: 'a URL such as https://bikes.example.org or https://bikes.example.org/catalogue',
    right: [
      ['https://bikes.example.org', 'https://bikes.example.org'],
      ['https://bikes.example.org/', 'https://bikes.example.org'],
      ['HTTP://Bikes.Example.org:80', 'http://bikes.example.org'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['http://a/bikes/api/', 'http://a/bikes/api'],
      ['https://bikes.example.org/catalogue/', 'https://bikes.example.org/catalogue'],
      ['http://a/apis/v1.0/../x', 'http://a/apis/x']
    ],
    wrong: [
      '', "http://a'b", 'bikes.example.org', 'ftp://bikes.example.org', 'http:bikes.example.org', 'http://',
      'http://a b', 'http://a:99999',
      'http://a/b//c', 'http://a//', 'http://a/%20', "http://a/b'c", 'http://a/b?', 'http://a/?', 'http://a?b',
      'http://a/#', 'http://ann@a', 'http://ann:secret@a/'
    ]
  },
  {
    kind: proxies,
    expects: 'on, off, a number of hops, or a comma-separated list of addresses and ranges such as 10.0.0.0/8',
    right: [
      ['on', true], ['off', false], ['2', 2], ['1', 1], ['yes', true], ['10.0.0.1', ['10.0.0.1']],
      ['10.0.0.0/8, ::1,fd00::/128', ['10.0.0.0/8', '::1', 'fd00::/128']]
    ],
    wrong: [
      '', '100', 'proxy.example.org', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.0/', '10.0.0.1,',
      'fe80::1%eth0', '1/2/3'
    ]
  },
  {
    kind: word('a secret'), expects: 'a secret',
    right: [['s3cret', 's3cret'], ['a\n', 'a']],
    wrong: ['', 'a b', '\n']
  },
  {
    kind: tokenList, expects: 'tokens without spaces, separated by commas',
    right: [['a', ['a']], ['a, b,\nc\r\n', ['a', 'b', 'c']]], wrong: ['', ',', 'a b', ' \n']
  },
  {
    kind: redisUrl, expects: 'a URL such as redis://localhost:6379 or rediss://user:password@host:6380/0',
    right: [['redis://localhost:6379', 'redis://localhost:6379'], ['rediss://u:p@h:1/0', 'rediss://u:p@h:1/0']],
    wrong: ['', 'localhost:6379', 'http://localhost', 'redis://', 'redis:///0', 'redis://a:99999']
  }
]

for (const { kind, expects, right, wrong } of cases) {
  test(expects, async t => {
    t.equal(kind.expects, expects)
    for (const [text, value] of right) t.strictSame(kind.read(text), value, `${text} is right`)
    for (const text of wrong) {
      t.equal(attempt(() => kind.read(text)).value, undefined, `${JSON.stringify(text)} is wrong`)
    }
  })
}

const secret = word('a secret')
const tokens = tokenLines

test('a file of secrets or tokens, or one that cannot be read', async t => {
  for (const [kind, content, expected] of [
    [secret, ' s3cret\n', 's3cret'], [secret, '\n', /\/content is empty$/],
    [tokens, '# ours, all of them\n one,\r\n#two\n\ntwo,#\n', ['one', 'two', '#']],
    [tokens, '\n# a b\none\na, b c\n', 'line 4 contains a space'],
    [tokens, ',\n', 'it contains no token; write "# none" if no token is valid'], [tokens, '# none\n,\n', []]
  ] as const) {
    const { value, error } = attempt(() => fromFile<unknown>(kind).read(join(t.testdir({ content }), 'content')))
    t.match(value ?? error?.message, expected, JSON.stringify(content))
  }
  const folder = t.testdir({ wide: Buffer.from('\ufeffci\n', 'utf16le') })
  const kind = fromFile(tokens)
  t.equal(kind.expects, 'a file that contains tokens without spaces, separated by commas')
  for (const [name, message] of [
    ['missing', /missing is missing$/],
    ['.', /is a directory$/],
    ['wide', /wide is UTF-16; save it as UTF-8$/],
    ['x'.repeat(5000), /x cannot be read: ENAMETOOLONG/]
  ] as const) {
    t.throws(() => kind.read(join(folder, name)), { message })
  }
})

test('the URL of a gateway is a URL of http or https, with a user or without', async t => {
  for (const url of ['http://a', 'https://user:password@a']) t.equal(gatewayUrl.read(url), url)
  for (const url of ['a', 'ftp://a', 'http://', 'http://user@a?b']) t.equal(gatewayUrl.read(url), undefined, url)
})
