import { articles } from './articles.ts'
import { layout } from './layout.ts'

/** The papers that are pages too, by their path. */
const papers = {
  '/changelog/': { article: articles.changelog, title: 'Changelog', description: 'What has changed in bicycle-catalogue, by version.' },
  '/versioning/': {
    article: articles.versioning,
    title: 'Versioning policy',
    description: 'What may change within a version of the API, and how the end of one is announced.'
  }
} as const

/** The page of a paper. */
export function paperPage (path: keyof typeof papers, hasTokenForm: boolean): string {
  const { article, title, description } = papers[path]
  return layout({ title: `${title} · Bicycle Catalogue`, path, description, main: article, hasTokenForm })
}
