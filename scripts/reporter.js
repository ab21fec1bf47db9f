import { Transform } from 'node:stream'
import { Parser } from 'tap-parser'
import { stringify } from 'yaml'

/** Tells only what failed, then how many assertions passed and failed. */
export default class Reporter extends Transform {
  #parser = new Parser()
  #counts = { pass: 0, fail: 0 }

  constructor () {
    super()
    this.#parser.on('pass', () => { this.#counts.pass++ })
    this.#parser.on('fail', ({ fullname, diag, tapError }) => {
      this.#counts.fail++
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
    done(null, `${this.#counts.pass} passed, ${this.#counts.fail} failed\n`)
  }
}
