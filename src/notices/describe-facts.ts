// The words for each thing that a notice can be about. Pure.

import { countIn, noStates, type State, watchedStates } from '#src/domain/credential/state.ts'
import { formatDuration, parseDuration } from '#src/platform/time/duration.ts'
import { minuteOf } from '#src/platform/time/format-minute.ts'
import type { Facts } from './facts.ts'

export interface Description {
  /** What is the case, without a full stop. */
  title: string
  /** What is the case now that it is over; null if that is the same sentence. */
  over: string | null
  /** Details, and what to do. */
  lines: string[]
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const verb = (count: number, one: string, many: string) => (count === 1 ? one : many)

function faultLine({ field, rule, rows, examples }: Extract<Facts, { about: 'summary' }>['faults'][number]): string {
  const more = rows > examples.length ? ', …' : ''
  return `${countOf(rows, 'invalid row')} (${examples.join(', ')}${more}): ${field ? `${field}, ` : ''}rule ${rule}`
}

type Words = { [About in Facts['about']]: (facts: Extract<Facts, { about: About }>) => Description }

const words: Words = {
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
        `${countOf(rows, 'row')}: ${accepted} accepted, ${invalid} invalid, ${skipped} skipped.`,
        ...(open > 0 ? [`The service is still working on ${countOf(open, 'row')}.`] : []),
        ...(changed > 0
          ? [`${countOf(changed, 'row')} ${verb(changed, 'differs', 'differ')} from an issued credential.`]
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
    title: `${countOf(count, 'row')} ${verb(count, 'waits', 'wait')} for a decision`,
    over: 'no row waits for a decision any more',
    lines: ['This cannot be decided automatically. `credsync held` shows the evidence and the possible answers.'],
  }),
  braked: ({ count }) => ({
    title: `${countOf(count, 'list')} ${verb(count, 'is', 'are')} held by the brake`,
    over: 'no list is held by the brake any more',
    lines: [
      `Nothing is issued from ${verb(count, 'it', 'them')} until a person decides. \`credsync status\` says why, \`credsync approve\` and \`credsync reject\` decide.`,
    ],
  }),
  changes: ({ count }) => ({
    title: `${countOf(count, 'row')} ${verb(count, 'differs', 'differ')} from an issued credential`,
    over: 'no row differs from an issued credential any more',
    lines: ['Corrections are never made automatically. `credsync correct` lists them.'],
  }),
  revocations: ({ count }) => ({
    title: `${countOf(count, 'revocation')} ${verb(count, 'needs', 'need')} a decision`,
    over: 'no revocation needs a decision any more',
    lines: ['`credsync held` lists them.'],
  }),
  stopped: ({ reason }) =>
    trouble(
      'nothing is sent until a person has checked the ledger',
      'sending continues',
      reason,
      '`credsync adopt` and then `credsync trust-ledger` let it continue; docs/upkeep.md describes how.',
    ),
  refused: ({ lists, run, source, sentence }) => ({
    title:
      lists === 1
        ? `${source ?? 'a list'} was refused`
        : `${lists} lists were refused, the last of them ${source ?? run.slice(0, 8)}`,
    over: 'a list was accepted again',
    lines: [
      ...sentence.split('\n').slice(0, 10),
      'Nothing is issued from it. Hand in a corrected file.',
      // What the sentence quotes from the file is left out here.
      `\`credsync status --run ${run.slice(0, 8)}\` shows the whole reason.`,
    ],
  }),
  missing: ({ due, timeZone, minRows, came }) => ({
    title: came
      ? `the list that was due ${localTime(due, timeZone)} has only ${countOf(came.rows, 'row')}`
      : `the list that was due ${localTime(due, timeZone)} has not come`,
    // It may be the next one.
    over: `a list has come; one was due ${localTime(due, timeZone)}`,
    lines: came
      ? [
          `It came ${localTime(came.at, timeZone)}; at least ${countOf(minRows, 'row')} are expected. Ask whoever sends it.`,
        ]
      : ['Ask whoever sends it, and check that the folder is mounted. `credsync status` shows the lists that came.'],
  }),
  silent: ({ within, completions, last }) => ({
    title: `no ${completions ? 'completion' : 'list'} has come for more than ${formatDuration(parseDuration(within) ?? 0)}`,
    over: `a ${completions ? 'completion' : 'list'} has come again`,
    lines: [
      ...(last ? [`The last one came at ${minuteOf(new Date(last))} UTC.`] : []),
      completions
        ? 'Check in the learning system that learners complete the course; `credsync events` shows what it sent.'
        : 'Ask whoever sends it. `credsync status` shows the lists that came.',
    ],
  }),
  service: ({ problem }) => noAnswer('the credential service', problem),
  queue: ({ problem }) => noAnswer('the store of the queues', problem),
  keys: ({ problem }) =>
    trouble(
      'the credential service refuses the keys',
      'the credential service accepts the keys again',
      problem,
      'Nothing is issued until the keys are right; `credsync check` tests them.',
    ),
  work: ({ problem }) =>
    trouble(
      'a worker cannot do its work',
      'the worker does its work again',
      problem,
      'It is retried automatically. `credsync check` may say more.',
    ),
  database: () => ({
    title: 'PostgreSQL cannot be used',
    over: 'PostgreSQL can be used again',
    lines: [
      'It does not answer, or accepts no writes.',
      'Nothing is lost: credsync continues once it works. No other notice can be sent until then.',
    ],
  }),
  system: ({ system, problem }) => noAnswer(`the learning system ${system}`, problem),
  open: ({ count }) => ({
    title: `${countOf(count, 'row')} ${verb(count, 'is', 'are')} not finished`,
    over: 'its oldest rows are finished',
    lines: ['`credsync status` shows what they wait for.'],
  }),
  report: () => ({
    title: 'the credential report has not been read',
    over: 'the credential report is read again',
    lines: ['The outcome of rows that were sent is unknown until then. `credsync check` may say why.'],
  }),
  paused: ({ reason }) =>
    trouble(
      'a course is paused',
      'the course is not paused any more',
      reason,
      'Its rows wait, and one of them is tried again automatically.',
    ),
  archive: ({ problem }) =>
    trouble('the archive of certificates cannot be used', 'the archive of certificates works again', problem),
  inbox: ({ problem }) => trouble('the inbox cannot be used', 'the inbox works again', problem),
  results: ({ problem }) =>
    trouble('results files cannot be written', 'no results file has waited for more than an hour', problem),
  delivery: ({ problem }) =>
    trouble('outcomes cannot be delivered', 'no learning system refuses an outcome that waits', problem),
  settings: ({ subject, problem }) =>
    trouble(
      `the learning system ${subject} needs attention`,
      `the learning system ${subject} is in order again`,
      problem,
    ),
  recipient: ({ recipient, problem, isPartial, isGivenUp }) =>
    isGivenUp
      ? trouble(
          `a message to ${recipient} was refused and given up`,
          `messages to ${recipient} are delivered again`,
          problem,
          'It is not sent again. `credsync notices` shows what is open.',
        )
      : trouble(
          `messages to ${recipient} ${isPartial ? 'do not reach all of its addresses' : 'cannot be delivered'}`,
          `messages to ${recipient} are delivered again`,
          problem,
        ),
  worker: ({ problem }) => trouble('a worker makes no progress', 'the worker makes progress again', problem),
  stalled: ({ workers }) => ({
    title: `${countOf(workers.length, 'worker')} ${verb(workers.length, 'has', 'have')} not reported for five minutes`,
    over: 'every registered worker reports',
    lines: [
      `${workers.join(', ')}. The others go on; a worker that stands still keeps its connections. Restart it, or end it.`,
    ],
  }),
  test: () => ({
    title: 'this is a test',
    over: null,
    lines: ['Somebody ran `credsync notify --test`. Nothing has to be done.'],
  }),
}

const trouble = (title: string, over: string, problem: string, ...more: string[]): Description => ({
  title,
  over,
  lines: [`${withoutFullStop(problem)}.`, ...more],
})

const noAnswer = (what: string, problem: string): Description =>
  trouble(
    `${what} does not answer`,
    `${what} answers again`,
    problem,
    'Nothing is lost: credsync continues once it answers.',
  )

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

/** Describes something that a later version may have recorded, too. */
export function describeFacts(facts: Facts): Description {
  const describe = words[facts.about] as ((facts: Facts) => Description) | undefined
  return describe?.(facts) ?? { title: String(facts.about), over: null, lines: [] }
}

/** For example `at 06:00 on Mon 24 Nov (Europe/Berlin)`. */
export function localTime(iso: string, timeZone: string): string {
  const at = new Date(iso)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at).replace(',', '')
  return `at ${format({ hour: '2-digit', minute: '2-digit' })} on ${format({ weekday: 'short', day: 'numeric', month: 'short' })} (${timeZone})`
}

function withoutFullStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '')
}
