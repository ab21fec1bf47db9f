import { test } from 'tap'
import { isSecretName, maskNamed, maskSecrets } from '../../src/base/mask.ts'

test('secrets are masked however they are written', async t => {
  const secrets = ['a"b\\c/ ü=&', 'a"b\\c/ ü=& and more', '', 'secret/with+signs', 'bc1']
  for (const secret of secrets.filter(Boolean)) {
    const json = JSON.stringify(secret).slice(1, -1)
    const forms = [
      secret, json, JSON.stringify(json).slice(1, -1), encodeURI(secret), encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(), encodeURIComponent(encodeURIComponent(secret)),
      new URLSearchParams({ a: secret }).toString().slice(2), json.replace('ü', '\\u00fC')
    ]
    for (const form of forms) t.equal(maskSecrets(`<${form}>`, secrets), '<*>', form)
    t.equal(maskSecrets(`?a=%3D${encodeURIComponent(secret)}&b`, secrets), '?a=%3D*&b', secret)
  }
  t.equal(maskSecrets('abc1 bc12 über-bc1 ?a+b', secrets), 'abc1 bc12 über-bc1 ?a+b', 'a short one is a whole word')
  t.equal(maskSecrets('a bct_abc-1_2.', []), 'a *.', 'an issued token')
})

test('names of secrets', async t => {
  const secret = [
    'Authorization', 'Proxy-Authorization', 'cookie', 'Set-Cookie2', 'X-Api-Key', 'api-key', 'apiKey', 'X-Auth-Token',
    'X-Access-Token', 'X-CSRFToken', 'X-XSRF-TOKEN', 'access_token', 'refresh_token', 'api_key', 'token', 'password',
    'client_secret', 'X-Amz-Signature', 'sessionid', 'Ocp-Apim-Subscription-Key', 'key', 'auth', 'sig'
  ]
  for (const name of secret) t.ok(isSecretName(name), name)
  for (const name of ['accept', 'page', 'author', 'ordering', 'brand', 'keywords', 'x-request-id', 'design', '']) {
    t.notOk(isSecretName(name), name)
  }
})

test('values with secret names are masked in URLs and headers', async t => {
  const cases = [
    ['/api/v1/bikes/?page=2&access_token=abc&api_key=', '/api/v1/bikes/?page=2&access_token=*&api_key='],
    ['?to%6Ben=a=b&x=1', '?to%6Ben=*&x=1'],
    ['https://a.example/?next=%2Fa%3Ftoken%3Dabc%26page%3D2', 'https://a.example/?next=%2Fa%3Ftoken%3D*%26page%3D2'],
    ['https://me:p@ss@a.example/@b#id_token=abc', 'https://*@a.example/@b#id_token=*'],
    ['<https://a.example/?password=a>; rel="next"', '<https://a.example/?password=*>; rel="next"'],
    ['brand=Trek', 'brand=Trek']
  ] as const
  for (const [text, masked] of cases) t.equal(maskNamed(text, 'referer'), masked, text)
  t.equal(maskNamed('abc', 'X-Api-Key'), '*')
})
