// The result of each mutant, and the table of all rooms. Pure.

import { isHarmless } from './harmless.ts'
import { type Mutant, roomOf } from './mutants.ts'

export interface Outcome {
  /** `invalid` if PostgreSQL cannot run the statement, which then tests nothing. */
  result: 'killed' | 'hangs' | 'survived' | 'not executed' | 'invalid'
  /** The test that noticed the mutant. */
  by: string
  words: string
}

export interface Result extends Outcome {
  mutant: Mutant
}

export const goal = 90

const oneLine = (text: string, length: number) => text.replace(/\s+/g, ' ').slice(0, length)

export const isNoticed = ({ result }: Outcome) => result === 'killed' || result === 'hangs'

/** Whether no further test has to be tried. */
export const isFinal = (outcome: Outcome | undefined) =>
  outcome !== undefined && (isNoticed(outcome) || outcome.result === 'invalid')

export function lineOf({ mutant, result, by, words }: Result): string {
  const { id, file, line, kind, text } = mutant
  return [result, id, `${file}:${line}`, kind, oneLine(text, 160), by, oneLine(words, 160)].join('\t')
}

interface Score {
  room: string
  mutants: number
  noticed: number
  /** Not noticed, and named in harmless.ts. */
  harmless: number
  survivors: readonly Result[]
  /** The percentage that was noticed of those that could do harm. */
  percentage: number
}

export function scoreOf(room: string, results: readonly Result[]): Score {
  const valid = results.filter(({ result }) => result !== 'invalid')
  const missed = valid.filter((result) => !isNoticed(result))
  const survivors = missed.filter(({ mutant }) => !isHarmless(mutant))
  const [noticed, harmless] = [valid.length - missed.length, missed.length - survivors.length]
  const percentage = (100 * noticed) / Math.max(1, valid.length - harmless)
  return { room, mutants: valid.length, noticed, harmless, survivors, percentage }
}

/** The survivors of each room, and then a table with a line for each room. */
export function tableOf(results: readonly Result[]): string {
  const rooms = [...Map.groupBy(results, ({ mutant }) => roomOf(mutant))].map(([room, own]) => scoreOf(room, own))
  const survivors = rooms.flatMap((score) => score.survivors.map(survivorLine))
  const lines = [...rooms, scoreOf('all', results)].map(({ room, mutants, noticed, harmless, survivors, percentage }) =>
    [room, mutants, noticed, harmless, survivors.length, `${(Math.floor(percentage * 10) / 10).toFixed(1)} %`].join(
      '\t',
    ),
  )
  return [...survivors, ['room', 'mutants', 'noticed', 'harmless', 'survivors', 'score'].join('\t'), ...lines].join(
    '\n',
  )
}

function survivorLine({ mutant: { id, file, line, kind, text }, result }: Result): string {
  return `${file}:${line}\t${result}\t${kind}\t${oneLine(text, 200)}\t(${id})`
}
