import { t, test } from 'tap'
import { readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t)

const redirects: [target: string, location: string][] = [
  ['/api/v1/wheels', '/api/v1/wheels/'],
  ['/api/v1/wheels?', '/api/v1/wheels/'],
  ['/api/v1/wheels#?a=1', '/api/v1/wheels/'],
  ['/api/v1/wheels?a=1&b=%20x+y', '/api/v1/wheels/?a=1&b=%20x+y'],
  ['/api/v1/wheels?a=%C3%A9&b=%zz', '/api/v1/wheels/?a=%C3%A9&b=%zz'],
  ['/api/v1/wheels?format=xml', '/api/v1/wheels/?format=xml'],
  ['/api/v1/wheels?a=\'"\\|[]', "/api/v1/wheels/?a='%22%5C%7C[]"],
  ['/api/v1/wheels??a', '/api/v1/wheels/??a'],
  ['/api/v1/%62ikes', '/api/v1/bikes/'],
  ['/api/v1%2Fbrakes', '/api/v1/brakes/'],
  ['/api/v1/bikes/featured', '/api/v1/bikes/featured/']
]

const request = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

test('a missing slash is a 301 for every method', async t => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND']) {
    for (const [target, location] of redirects) {
      const { status, headers, body } = readRaw(await send(request(method, target, 'Accept: application/xml')))
      t.strictSame([status, body], [301, ''], `${method} ${target}`)
      t.match(Object.fromEntries(headers), {
        location,
        'content-type': 'text/html; charset=utf-8',
        'content-length': '0',
        'access-control-allow-origin': '*'
      }, target)
      t.notOk(headers.has('vary') || headers.has('allow') || headers.has('etag'), target)
    }
  }
})

const nothing = [
  '//evil.example/api/v1/bikes', 'http://localhost//evil.example/api/v1/bikes',
  '/%2Fevil.example/api/v1/bikes', '/\\\\evil.example/api/v1/bikes', '//api/v1/bikes',
  '/api/v1/', '/api/v1/bikes/1/', '/api/v1/bikes/1', '/api/v1/Bikes/', '/API/v1/bikes/', '//api/v1/bikes/',
  '/api//v1/bikes/', '/api/v1/bikes//',
  '/api/v1/bikes.json', '/api/v1/./bikes/', '/api/v1/x/../bikes/', '/api/v1/brakes/%0A', '/api/v1/brakes/%FF',
  '/api/v1/brakes/%ZZ',
  '/api/v1/brakes/%00', '/api/v1/brakes;a=1/', '/api/v1/brakes%3Fformat=json', '/nope/', '/api/v2/wheels/',
  '/api/v1/cranksets/', '/%', '/..%2f..%2fetc/passwd',
  '/constructor/', '*', '/api/v1/bikes/../../../etc/passwd', '/' + 'a'.repeat(8000)
]

test('any other path is a 404 of the contract', async t => {
  for (const target of nothing) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
      const text = request(method, target, 'Accept: application/xml', 'Content-Type: nonsense')
      const { status, headers, body } = readRaw(await send(text))
      t.strictSame([status, body], [404, '{"detail":"Not found."}'], `${method} ${target.slice(0, 60)}`)
      t.match(Object.fromEntries(headers), {
        'content-type': 'application/json', 'cache-control': 'no-store', 'access-control-allow-origin': '*'
      }, method)
      t.notOk(headers.has('vary') || headers.has('allow') || headers.has('location'), method)
    }
  }
})

test('a path is decoded once and fully', async t => {
  const plain = (await inject('/api/v1/brakes/')).body
  for (const target of [
    '/api/v1/%62rakes/', '/api/v1/brakes%2F', '/api%2Fv1%2Fbrakes%2F', '/api/v1/brakes%2F?x=%zz',
    'http://localhost/api/v1/brakes/', '/api/v1/brakes/?a=%zz&%&=&&', '/api/v1/brakes/#x',
    '/api/v1/brakes/#page=1'
  ]) {
    const { status, body } = readRaw(await send(request('GET', target)))
    t.strictSame([status, body], [200, plain], target)
  }
})
