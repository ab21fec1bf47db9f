import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirectory } from '../package.ts'
import { layout } from './layout.ts'
import { markdown } from './markdown.ts'

/** Reads a document that lies beside package.json. */
function read (file: string): string {
  return readFileSync(join(dataDirectory, '..', file), 'utf8')
}

/** Gives the page of CHANGELOG.md. */
export function changelogPage (): string {
  return layout({
    title: 'Changelog · Bicycle Catalogue',
    path: '/changelog/',
    description: 'What has changed in bicycle-catalogue, by version.',
    main: markdown(read('CHANGELOG.md'))
  })
}

/** Gives the page of VERSIONING.md. */
export function versioningPage (): string {
  return layout({
    title: 'Versioning policy · Bicycle Catalogue',
    path: '/versioning/',
    description: 'What may change within a version of the API, and how the end of one is announced.',
    main: markdown(read('VERSIONING.md'))
  })
}
