import { curlLine } from '#assets/curl.js'
import { addressOf, type Answer, type Ask, type Asked } from './ask.ts'

/** What speaks against a claim, or what a server does its own way where the contract is silent. */
export type Finding = {
  /** The request as a command line; it finds the token in the shell's variable TOKEN. */
  request: string
  expected: string
  got: string
  /** The first record that shows it. */
  record?: object
}

/** One claim of the contract, with the requests that try it. */
export type Check = {
  id: string
  claim: string
  /** Where the claim stands: a part of the specification or of the reference's behaviour. */
  source: string
  /** Needs a token, or leave to send what would write if the server obeyed. */
  needs?: 'token' | 'probe-writes'
  run: (probe: Probe) => Promise<void>
}

/** What came of a check; `skipped` says why it was not tried, in words that begin with "needs". */
export type Result = Pick<Check, 'id' | 'claim' | 'source'> & {
  ok: boolean
  requests: number
  failures: Finding[]
  remarks: Finding[]
  skipped?: string
}

/** What a run may do: the token it has, and whether methods other than GET, HEAD and OPTIONS may be sent. */
export type Leave = { token: string | undefined, probeWrites: boolean }

/** What a check asks and says. */
export class Probe {
  readonly failures: Finding[] = []
  readonly remarks: Finding[] = []
  readonly token: string | undefined
  readonly base: URL
  readonly #asked = new Set<Promise<Answer>>()
  readonly #ask: Ask

  constructor (base: URL, ask: Ask, token: string | undefined) {
    this.base = base
    this.token = token
    this.#ask = ask
  }

  /** Distinct requests of the check, those that an earlier check had asked too. */
  get requests (): number {
    return this.#asked.size
  }

  /** Where a path of the contract, which is relative to the base address, is on this server. */
  pathOf (path: string): string {
    return this.base.pathname.replace(/\/$/, '') + path
  }

  get (path: string, headers: Asked['headers'] = {}): Promise<Answer> {
    return this.ask('GET', path, headers)
  }

  ask (method: string, path: string, headers: Asked['headers'] = {}): Promise<Answer> {
    return this.#send({ method, target: this.pathOf(path), headers })
  }

  /** Gets what an answer points to on the same server, be it below the base address or not; without credentials. */
  follow ({ pathname, search }: URL): Promise<Answer> {
    return this.#send({ method: 'GET', target: pathname + search, headers: {} })
  }

  /** The headers of a request for version 2.1. */
  get credentials (): Asked['headers'] {
    return { authorization: `Token ${this.token}` }
  }

  /** Notes a failure unless something holds; says whether it does. */
  must (answer: Answer, holds: boolean, expected: string, got: string, record?: object): boolean {
    if (!holds) this.failures.push(this.#finding(answer, expected, got, record))
    return holds
  }

  /** Notes a remark unless something holds that the contract leaves open; says whether it does. */
  may (answer: Answer, holds: boolean, expected: string, got: string, record?: object): boolean {
    if (!holds) this.remarks.push(this.#finding(answer, expected, got, record))
    return holds
  }

  #send (asked: Asked): Promise<Answer> {
    const answer = this.#ask(asked)
    this.#asked.add(answer)
    return answer
  }

  #finding ({ asked }: Answer, expected: string, got: string, record: object | undefined): Finding {
    const { method, headers: { authorization, ...headers } } = asked
    const isOwn = this.token !== undefined && authorization === this.credentials['authorization']
    const others = isOwn || authorization === undefined ? headers : { ...headers, authorization }
    const request = curlLine({ method, address: addressOf(this.base, asked.target), headers: others, ...isOwn ? { token: true } : {} })
    return { request, expected, got, ...record === undefined ? {} : { record } }
  }
}

/** Is thrown where a check can be tried no further; says what it needs, unless a failure says so. */
export class Untried extends Error {}

/**
 * Runs checks one after another and hands out each result as it comes.
 * @throws {Unreachable} when the server can no longer be asked
 */
export async function * runChecks (checks: readonly Check[], base: URL, ask: Ask, { token, probeWrites }: Leave): AsyncGenerator<Result> {
  const lacks = {
    token: token === undefined ? 'needs --token' : undefined,
    'probe-writes': probeWrites ? undefined : 'needs --probe-writes'
  }
  for (const { id, claim, source, needs, run } of checks) {
    const probe = new Probe(base, ask, token)
    const skipped = (needs && lacks[needs]) ?? await run(probe).then(() => undefined, reasonOf)
    const { failures, remarks, requests } = probe
    const ok = failures.length === 0
    yield { id, claim, source, ok, requests, failures, remarks, ...skipped === undefined || !ok ? {} : { skipped } }
  }
}

function reasonOf (error: unknown): string {
  if (error instanceof Untried) return error.message
  throw error
}
