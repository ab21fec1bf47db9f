import { takeTurn } from '../http/turns.ts'
import { maxPageSize } from './page.ts'
import { questionsOf, type Asked } from './question.ts'
import { resources, type Resource } from './resources.ts'

/** What is made before anybody asks for it. */
export type Preparations = {
  /** Makes first records, laid out JSON and a page before a server is ready: others have much in common with them. */
  prepareFirst: () => Promise<void>
  /** Makes first records and answers, in turns with requests, so that nobody waits for them. */
  prepareAll: () => Promise<void>
}

/** How things are made when they are asked for. */
type Makes = {
  /** Writes the record at a position of a list. */
  record: (resource: Resource, position: number) => void
  answer: (asked: Asked) => unknown
  countOf: (resource: Resource) => number
}

/** How many records are written in one turn, or for their code to be compiled, and at most before anybody asks for them. */
const [fewRecords, mostRecords] = [10, 1000]

/** The list that has all that records and pages can have. */
const mostDetailed = 'bikesV2'

export function createPreparations ({ record, answer, countOf }: Makes): Preparations {
  const preparedOf = (resource: Resource) => Math.min(countOf(resource), mostRecords)

  return {
    async prepareFirst () {
      const resource = resources.find(({ key }) => key === mostDetailed) as Resource
      for (let position = 0; position < preparedOf(resource); position++) record(resource, position)
      const isLong = countOf(resource) > mostRecords
      const [, ...others] = questionsOf(resource, isLong ? maxPageSize : fewRecords) // of few less memory is left behind
      for (const asked of others) await answer(asked)
    },
    async prepareAll () {
      for (const resource of resources) {
        for (let position = 0; position < preparedOf(resource); position++) {
          if (position % fewRecords === 0) await takeTurn()
          record(resource, position)
        }
        for (const asked of questionsOf(resource)) {
          await takeTurn()
          await answer(asked)
        }
      }
    }
  }
}
