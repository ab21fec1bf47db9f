import { seeded } from '../../src/simulation/random.ts'
import { between } from '../generate/random.ts'
import { atOnce } from './at-once.ts'
import { converse, shellLine } from './converse.ts'
import type { Plan } from './plan.ts'
import { anyRequest, token, type Asked } from './requests.ts'
import { startServer, type Server } from './server.ts'
import type { Answer } from './wire.ts'

/** What differs by the moment, or by the port that the server got. */
const passing = new Set(['date'])
const hasPassing = ({ text }: Asked) => !text.includes('\nHost: ') || text.includes('/readyz')

/** Asks two servers the same in two orders, one several at once and the other one by one, and compares every byte. */
export async function history ({ requests: count, seed, report }: Plan): Promise<void> {
  const flags = ['--tokens', token, '--rate-limit', 'off', '--compress']
  const [one, other] = await Promise.all([startServer(flags), startServer(flags)])
  const asked = Array.from(
    { length: count },
    (_, index) => ({ number: seed + index, request: anyRequest(seeded(seed + index)) })
  ).filter(({ request }) => !hasPassing(request))
  const random = seeded(seed)
  const answers = new Map<Asked, Answer | undefined>()
  for (let start = 0; start < asked.length;) {
    const end = start + between(random, 1, 20)
    const together = asked.slice(start, end).map(({ request }) => request)
    const { answers: found } = await converse(one.port, together)
    // After one that ends the connection the others are asked alone.
    for (const [index, request] of together.entries()) answers.set(request, found[index] ?? await askAlone(one, request))
    start = end
  }
  await atOnce(4, asked.toReversed(), async ({ number, request }) => {
    report.tried('requests, each asked twice')
    const [first, second] = [shown(answers.get(request)), shown(await askAlone(other, request))]
    if (first !== second) {
      report.broke(
        `an answer that depends on what was asked before, or on how: ${difference(first, second)}`,
        `--only history --requests ${number - seed + 1} --seed ${seed}: ${shellLine([request])}`
      )
    }
  })
  const isOther = /\n(?:Range|Content-Length|Transfer-Encoding):/
  const plain = asked.filter(({ request: { method, text } }) => method === 'GET' && !isOther.test(text))
  await atOnce(4, plain, async ({ number, request }) => {
    report.tried('GET and HEAD of the same')
    const head = await askAlone(one, { ...request, method: 'HEAD', text: request.text.replace('GET', 'HEAD') })
    const headOf = (answer: Answer | undefined) => shown(answer && { ...answer, body: Buffer.alloc(0) })
    const [first, second] = [headOf(answers.get(request)), headOf(head)]
    if (first !== second) {
      report.broke(
        `a HEAD that is not its GET: ${difference(first, second)}`,
        `--only history --requests ${number - seed + 1} --seed ${seed}: ${shellLine([request])}`
      )
    }
  })
  await Promise.all([one.stop(), other.stop()])
}

async function askAlone ({ port }: Server, request: Asked): Promise<Answer | undefined> {
  return (await converse(port, [request])).answers[0]
}

function shown (answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer'
  const headers = [...answer.headers].filter(([name]) => !passing.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [answer.status, ...headers, '', answer.body.toString('latin1')].join('\n')
}

/** The first line in which two answers differ. */
function difference (one: string, other: string): string {
  const [lines, others] = [one.split('\n'), other.split('\n')]
  const place = lines.findIndex((line, index) => line !== others[index])
  return `${lines[place]?.slice(0, 60)} / ${others[place]?.slice(0, 60)}`
}
