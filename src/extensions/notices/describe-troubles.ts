// The words for parts that do not work, and for what stands still because of them. Pure.

import type { listWords } from './describe-lists.ts'
import { counted, type Description, trouble, verb, type Words } from './description.ts'

const noAnswer = (what: string, problem: string): Description =>
  trouble(
    `${what} does not answer`,
    `${what} answers again`,
    problem,
    'Nothing is lost: credsync continues once it answers.',
  )

export const troubleWords: Omit<Words, keyof typeof listWords | 'test'> = {
  stopped: ({ reason }) =>
    trouble(
      'nothing is sent until a person has checked the ledger',
      'sending continues',
      reason,
      '`credsync adopt` and then `credsync trust-ledger` let it continue; docs/upkeep.md describes how.',
    ),
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
  erasure: ({ id, day, waitsFor }) => ({
    title: `an erasure of ${day} has not been carried out for three weeks`,
    over: `the erasure of ${day} was carried out`,
    lines: [
      `Erasure ${id}: ${waitsFor ?? 'no worker has carried it out.'}`,
      'The law allows a month. `credsync erasures` shows what is left; decide what is held, or make sure that a worker runs.',
    ],
  }),
  stalled: ({ workers }) => ({
    title: `${counted(workers.length, 'worker')} ${verb(workers.length, 'has', 'have')} not reported for five minutes`,
    over: 'every registered worker reports',
    lines: [
      `${workers.join(', ')}. The others go on; a worker that stands still keeps its connections. Restart it, or end it.`,
    ],
  }),
}
