import { Transform } from 'node:stream'
import { Parser } from 'tap-parser'
import { stringify } from 'yaml'

/** Prints failed assertions, skipped tests and the number of tests. A crashed file counts as a failed test. */
export default class Reporter extends Transform {
  #parser = new Parser()
  #counts = { passed: 0, failed: 0, skipped: 0 }

  constructor () {
    super()
    let failedBefore = 0
    this.#parser.on('child', file => {
      file.on('assert', ({ ok, skip, fullname }) => {
        if (skip) this.push(`skipped: ${fullname} (${skip})\n`)
        this.#counts[!ok ? 'failed' : skip ? 'skipped' : 'passed']++
      })
    })
    this.#parser.on('assert', ({ ok }) => {
      if (!ok && this.#counts.failed === failedBefore) this.#counts.failed++
      failedBefore = this.#counts.failed
    })
    this.#parser.on('fail', ({ fullname, diag, tapError }) => {
      const details = stringify({ ...diag, ...tapError && { tapError } }).trimEnd().replace(/^/gm, '  ')
      this.push(`not ok: ${fullname}\n${details}\n\n`)
    })
  }

  _transform (chunk, encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush (done) {
    this.#parser.end()
    const { passed, failed, skipped } = this.#counts
    done(null, `${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  }
}
