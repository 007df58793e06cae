// The words for lists and their rows: what became of them, what waits for a person, and what is missing. Pure.

import { countIn, noStates, type State, watchedStates } from '#src/domain/credential/state.ts'
import { formatDuration, minuteOf, parseDuration } from '#src/platform/time/duration.ts'
import { counted, localTime, verb, type Words } from './description.ts'
import type { Facts, RefusedListFacts } from './facts.ts'

const shownStates: readonly State[] = [
  'issued',
  'requested',
  'in_progress',
  'unconfirmed',
  'held',
  'rejected',
  'failed',
  'revoked',
]
const stateNames: Partial<Record<State, string>> = {
  requested: 'accepted by the service',
  in_progress: 'in progress',
  unconfirmed: 'not confirmed yet',
}

/** Of the names on one line, in characters: longer lines are cut off. */
const maxNamesLength = 300

function faultLine({ field, rule, rows, examples }: Extract<Facts, { about: 'summary' }>['faults'][number]): string {
  const more = rows > examples.length ? ', …' : ''
  return `${counted(rows, 'invalid row')} (${examples.join(', ')}${more}): ${field ? `${field}, ` : ''}rule ${rule}`
}

const nameOf = ({ source, run }: Pick<RefusedListFacts, 'source' | 'run'>) => source ?? `list ${run.slice(0, 8)}`

const refusedTitle = (lists: number, last: Pick<RefusedListFacts, 'source' | 'run'>) =>
  lists === 1 ? `${nameOf(last)} was refused` : `${lists} lists were refused, the last of them ${nameOf(last)}`

function refusal(list: Pick<RefusedListFacts, 'run' | 'source' | 'sentence'>) {
  return {
    title: refusedTitle(1, list),
    over: null,
    lines: [
      ...list.sentence.split('\n').slice(0, 10),
      'Nothing is issued from it. Hand in a corrected file, unless a later list replaces it.',
      // What the sentence quotes from the file is left out here.
      `\`credsync status --run ${list.run.slice(0, 8)}\` shows the whole reason.`,
    ],
  }
}

/** The lists that were refused for one reason, on as many lines as their names need. */
function namesAndReason(names: readonly string[], sentence: string): string[] {
  const lines: string[] = []
  for (const name of names) {
    const line = lines.at(-1)
    if (line === undefined || line.length + name.length > maxNamesLength) lines.push(name)
    else lines[lines.length - 1] = `${line}, ${name}`
  }
  const reason = sentence.split('\n').slice(0, 3).join(' ')
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : `${line}: ${reason}`))
}

export const listWords = {
  summary: (facts) => {
    const { run, source, results, invalidRows, rows, accepted, invalid, skipped, changed, states, faults } = facts
    const list = source ?? `list ${run.slice(0, 8)}`
    const open = countIn({ ...noStates(), ...states }, watchedStates)
    const outcomes = shownStates.flatMap((state) =>
      states[state] ? [`${states[state]} ${stateNames[state] ?? state}`] : [],
    )
    const counts = outcomes.length > 0 ? outcomes.join(', ') : 'nothing to issue'
    return {
      title: `${list} is sent: ${counts}`,
      over: `${list} is finished: ${counts}`,
      lines: [
        `${counted(rows, 'row')}: ${accepted} accepted, ${invalid} invalid, ${skipped} skipped.`,
        ...(open > 0 ? [`The service is still working on ${counted(open, 'row')}.`] : []),
        ...(changed > 0
          ? [`${counted(changed, 'row')} ${verb(changed, 'differs', 'differ')} from an issued credential.`]
          : []),
        ...faults.slice(0, 10).map(faultLine),
        ...(faults.length > 10 ? [`and ${faults.length - 10} more kinds of invalid rows`] : []),
        ...(results === null ? [] : [`Results: ${results}`]),
        ...(invalidRows === null ? [] : [`Invalid rows, with what to correct: ${invalidRows}`]),
        `\`credsync status --run ${run.slice(0, 8)}\` shows more.`,
      ],
    }
  },
  held: ({ count }) => ({
    title: `${counted(count, 'row')} ${verb(count, 'waits', 'wait')} for a decision`,
    over: 'no row waits for a decision any more',
    lines: ['This cannot be decided automatically. `credsync held` shows the evidence and the possible answers.'],
  }),
  braked: ({ count }) => ({
    title: `${counted(count, 'list')} ${verb(count, 'is', 'are')} held by the brake`,
    over: 'no list is held by the brake any more',
    lines: [
      `Nothing is issued from ${verb(count, 'it', 'them')} until a person decides. \`credsync status\` says why, \`credsync approve\` and \`credsync reject\` decide.`,
    ],
  }),
  changes: ({ count }) => ({
    title: `${counted(count, 'row')} ${verb(count, 'differs', 'differ')} from an issued credential`,
    over: 'no row differs from an issued credential any more',
    lines: ['Corrections are never made automatically. `credsync correct` lists them.'],
  }),
  revocations: ({ count }) => ({
    title: `${counted(count, 'revocation')} ${verb(count, 'needs', 'need')} a decision`,
    over: 'no revocation needs a decision any more',
    lines: ['`credsync held` lists them.'],
  }),
  refused: ({ lists, ...last }) => ({
    ...refusal(last),
    title: refusedTitle(lists, last),
    over: 'a list was accepted again',
  }),
  refusal,
  refusedLists: ({ lists }) => {
    const [first, ...others] = lists
    const last = lists.at(-1)
    if (!first || !last) return { title: 'no list was refused', over: null, lines: [] }
    if (others.length === 0) return refusal(first)
    const byReason = Map.groupBy(lists, ({ sentence }) => sentence)
    return {
      title: refusedTitle(lists.length, last),
      over: null,
      lines: [
        ...[...byReason].flatMap(([sentence, own]) => namesAndReason(own.map(nameOf), sentence)),
        'Nothing is issued from them. Hand in corrected files, unless later lists replace them.',
        '`credsync status` shows the lists, and `credsync status --run` with the number of one the whole reason.',
      ],
    }
  },
  missing: ({ due, timeZone, minRows }) => ({
    title: `the list that was due ${localTime(due, timeZone)} is missing`,
    // It may be the next one.
    over: `a list has come; one was due ${localTime(due, timeZone)}`,
    lines: [
      `Ask whoever sends it, and check that the folder is mounted. A list that was refused, or has fewer than ${counted(minRows, 'row')}, does not count: \`credsync status\` shows the lists that came.`,
    ],
  }),
  silent: ({ within, completions, last }) => ({
    title: `no ${completions ? 'completion has come' : 'list has been accepted'} for more than ${formatDuration(parseDuration(within) ?? 0)}`,
    over: `a ${completions ? 'completion' : 'list'} has come again`,
    lines: [
      ...(last ? [`The last one came at ${minuteOf(new Date(last))} UTC.`] : []),
      completions
        ? 'Check in the learning system that learners complete the course; `credsync events` shows what it sent.'
        : 'Ask whoever sends it. `credsync status` shows the lists that came.',
    ],
  }),
  open: ({ count }) => ({
    title: `${counted(count, 'row')} ${verb(count, 'is', 'are')} not finished`,
    over: 'its oldest rows are finished',
    lines: ['`credsync status` shows what they wait for.'],
  }),
} satisfies Partial<Words>
