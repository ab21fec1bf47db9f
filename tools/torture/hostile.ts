import { between, createRandom } from '../../src/base/random.ts'
import { atOnce, converse, token, type Conversation, type Sent } from './converse.ts'
import { errorsOf } from './judge.ts'
import type { Plan } from './report.ts'
import { anyNonsense, anyRequest, type ListRequest } from './requests.ts'
import { startServer, wrongLines } from '../process.ts'
import type { Answer } from './wire.ts'

type Trial = { requests: (ListRequest | Sent)[], piece?: number }

const connectionsAtOnce = 16

/** Pipelines unusual requests and invalid bytes, and checks every response. */
export async function hostile ({ requests: count, seed, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit', 'off'])
  const statuses = new Map<number, number>()
  await atOnce(connectionsAtOnce, trialsOf(count, seed), async ({ trial, number }) => {
    const { requests, piece } = trial
    const conversation = await converse(server.port, requests, piece)
    report.tried('connections')
    report.tried('requests', requests.length)
    for (const { status } of conversation.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const again = `--only hostile --requests 1 --seed ${number}`
    for (const error of errorsIn(requests, conversation)) report.broke(error, again)
  })
  report.figure([...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`).join(', '))
  for (const line of wrongLines(server.log)) report.broke('the server logged an error of its own', line.slice(0, 500))
  await server.stop()
}

function * trialsOf (count: number, seed: number): Generator<{ trial: Trial, number: number }> {
  for (let [sent, number] = [0, seed]; sent < count; number++) {
    const trial = anyTrial(number)
    sent += trial.requests.length
    yield { trial, number }
  }
}

function anyTrial (seed: number): Trial {
  const random = createRandom(seed)
  const planned: (ListRequest | Sent)[] = Array.from({ length: between(random, 1, 20) }, () => anyRequest(random))
  if (random() < 0.15) planned.push(anyNonsense(random))
  // A client that closes the connection sends nothing after that request.
  const last = planned.findIndex(({ closes }) => closes)
  const requests = last === -1 ? planned : planned.slice(0, last + 1)
  return { requests, ...random() < 0.1 ? { piece: between(random, 1, 400) } : {} }
}

function errorsIn (requests: readonly (ListRequest | Sent)[], { answers, error }: Conversation): string[] {
  const errors = answers.flatMap((answer, index) => {
    const request = requests[index] as ListRequest | Sent
    if ('resource' in request) return errorsOf(request, answer)
    // An unread body may be malformed after its response; the connection closes in any case.
    const isClosed = answer.status >= 400 && answer.headers.get('connection') === 'close'
    const isRefused = request.text.includes('chunked\r\n\r\n') || isClosed
    const errors = errorsOf({ ...request, resource: undefined }, answer)
    return isRefused ? errors : [...errors, `nonsense is answered ${answer.status}`]
  })
  const isEnd = ({ headers }: Answer, index: number) =>
    headers.get('connection') === 'close' && index < requests.length - 1
  const early = answers.findIndex((answer, index) => isEnd(answer, index) && requests[index]?.closes === false)
  return [
    ...errors,
    ...error === undefined ? [] : [error.replace(/answer \d+|request \d+|\d+ bytes/g, 'an answer')],
    ...early === -1 ? [] : [`the connection ends after a ${answers[early]?.status} to a request that can be read`]
  ]
}
