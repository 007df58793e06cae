// Decides which notices the lists of pipelines become: those that are sent, refused or missing. Pure.

import { basename } from 'node:path'
import type { Refusals, RefusedList, SentList } from '#src/extensions/notices/ledger/list-readings.ts'
import type { NoticeReadings } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import type { Expectation } from './expected-list.ts'
import { about, type Facts, factsOf, type Occasion, withoutPeople } from './facts.ts'

/** What decides whether lists are missing. */
export interface ExpectationSources {
  readings: NoticeReadings
  open: readonly OpenNotice[]
  /** What each pipeline expects, and since when. */
  expectations: readonly { pipeline: string; expectation: Expectation; completions: boolean; since: Date }[]
  now: Date
}

/** Nobody corrects a list after this. */
const refusedDays = 90
const dayMs = 86_400_000

export function listOccasions({ lists, refusedLists, refusals }: NoticeReadings, namesFiles: boolean, now: Date) {
  return [
    ...lists.map((list) => summaryOf(list, namesFiles)),
    ...refusedLists.map((list) => refusedListOf(list, namesFiles)),
    ...refusals.map((refused) => refusalOf(refused, namesFiles, now)),
  ]
}

function summaryOf(list: SentList, namesFiles: boolean): Occasion {
  const { run, pipeline, source, resultsPath, invalidPath, publishedAt, settledAt, ...counts } = list
  return {
    key: `summary ${run}`,
    kind: 'summary',
    pipeline,
    since: publishedAt,
    isFinal: settledAt !== null,
    facts: {
      about: 'summary',
      run,
      source: namesFiles ? source : null,
      results: namesFiles ? resultsPath : null,
      invalidRows: namesFiles ? invalidPath : null,
      ...counts,
      faults: [],
    },
  }
}

/** Without the name of the file, if messages may not name files: as it was submitted, and as it was taken. */
function reasonOf({ source, path, sentence }: Pick<Refusals, 'source' | 'path' | 'sentence'>, namesFiles: boolean) {
  const names = namesFiles ? [] : [basename(path), source].filter((name) => name !== '')
  return withoutPeople(names.reduce((text, name) => text.replaceAll(name, 'the file'), sentence))
}

function refusedListOf({ pipeline, refusedAt, ...list }: RefusedList, namesFiles: boolean): Occasion {
  const { run, source } = list
  return {
    ...about('refused', run, null, refusedAt),
    pipeline,
    once: { run },
    facts: { about: 'refusal', run, source: namesFiles ? source : null, sentence: reasonOf(list, namesFiles) },
  }
}

function refusalOf(
  { pipeline, source, path, receivedAt, since, ...refused }: Refusals,
  namesFiles: boolean,
  now: Date,
) {
  const isPast = now.getTime() - receivedAt.getTime() > refusedDays * dayMs
  return {
    ...about('refused', 'list', pipeline, since),
    ...(isPast && { withdrawn: `It was refused ${refusedDays} days ago` }),
    facts: {
      about: 'refused' as const,
      ...refused,
      source: namesFiles ? source : null,
      sentence: reasonOf({ source, path, sentence: refused.sentence }, namesFiles),
    },
  }
}

/** The lists that are missing, or may be. */
export function missingLists({ readings, open, expectations, now }: ExpectationSources): Occasion[] {
  return expectations.flatMap(({ pipeline, expectation, completions, since }) => {
    const lists = readings.arrivals.filter((arrival) => arrival.pipeline === pipeline)
    const missing = expectation.missing(lists, since, now)
    // A list that is being read may still be refused, or turn out to have too few rows.
    const read = completions ? lists : lists.filter(({ rows }) => rows !== null)
    const perhaps = missing ?? expectation.missing(read, since, now)
    if (!perhaps) return []
    const occasion = about('missing', 'list', pipeline, perhaps.since)
    const notice = open.find(({ key }) => key === occasion.key)
    return [
      {
        ...occasion,
        facts: perhaps.facts,
        isNews: notice !== undefined && dueOf(factsOf(notice)) !== dueOf(perhaps.facts),
        ...(!missing && { isUnsure: true }),
      },
    ]
  })
}

/** When the list that is missing was due; null if no time was named. */
const dueOf = (facts: Facts) => (facts.about === 'missing' ? facts.due : null)
