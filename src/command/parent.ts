import { fstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Ready } from './banner.ts'

/** Says in one line why the ready file cannot be written. */
export class ReadyFileError extends Error {
  override name = 'ReadyFileError'
}

/**
 * Writes the ready file in one step, so that whoever sees it can read all of it, and takes it away when the process ends,
 * unless another server has put its own there meanwhile.
 * @throws {ReadyFileError} when it cannot be written
 */
export function writeReadyFile (file: string, ready: Ready, process: Pick<NodeJS.Process, 'once'>): void {
  const unfinished = `${file}.${ready.pid}`
  const text = `${JSON.stringify(ready)}\n`
  try {
    writeFileSync(unfinished, text, { mode: 0o600 }) // it holds a token
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw new ReadyFileError(`--ready-file ${file} cannot be written: ${(error as Error).message}`)
  }
  process.once('exit', () => { if (contentOf(file) === text) rmSync(file) })
}

function contentOf (file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

type Child = Pick<NodeJS.Process, 'connected' | 'send'>

/** Tells a parent that has a channel to this process (`child_process.fork`); one that closed it meanwhile is told nothing. */
export function tellParent (ready: Ready, process: Child): void {
  if (process.connected) process.send?.({ event: 'listening', ...ready }, undefined, {}, () => {})
}

/** How often it is looked whether the parent is still there, in milliseconds. */
const lookTime = 500

type Orphan = Pick<NodeJS.Process, 'once' | 'ppid' | 'stdin'>

/**
 * Calls back once when the parent is gone: when the pipe that is standard input ends, the channel to the parent closes, or
 * the process gets another parent. A terminal, a file or nothing as standard input says nothing of the parent.
 */
export function watchParent (process: Orphan, gone: () => void): void {
  const { ppid, stdin } = process
  const once = onlyOnce(gone)
  const looking = setInterval(() => { if (process.ppid !== ppid) once() }, lookTime).unref()
  process.once('disconnect', once)
  if (isPipe(stdin.fd)) stdin.once('end', once).once('close', once).once('error', once).resume().unref()

  function onlyOnce (call: () => void): () => void {
    let isCalled = false
    return () => {
      clearInterval(looking)
      if (!isCalled) call()
      isCalled = true
    }
  }
}

function isPipe (descriptor: number): boolean {
  const file = fstatSync(descriptor)
  return file.isFIFO() || file.isSocket()
}
