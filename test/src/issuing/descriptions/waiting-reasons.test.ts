// The text that describes what a run waits for, derived from its facts.

import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { openProgressDisplay, progressLine } from '#src/cli/progress-display.ts'
import { noStates } from '#src/domain/credential/state.ts'
import { waitingDocument, waitingLine, waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import type { WaitingFacts } from '#src/ledger/waiting-facts.ts'
import { steppedClock } from '#test/support/clock.ts'

const now = new Date('2026-03-01T10:00:30Z')
const at = (time: string) => new Date(`2026-03-01T${time}Z`)

function facts(more: Partial<Omit<WaitingFacts, 'states'>> & { states?: object } = {}): WaitingFacts {
  return {
    run: { state: 'published', brake: null, waits: null },
    worker: true,
    brakedAt: null,
    missedAt: null,
    waitsSince: null,
    stop: null,
    pause: null,
    canarySince: null,
    obstacles: [],
    rows: [],
    doubtedSince: null,
    cutReadings: 0,
    cutSince: null,
    nextReading: null,
    ...more,
    states: { ...noStates(), pending: 5, ...more.states },
  }
}

const obstacle = (subject: string, detail: string, until: Date | null = null) => ({
  subject,
  detail,
  since: at('10:00:00'),
  until,
})

const received = { state: 'received' as const, brake: null, waits: null }
const nothingToSend = { pending: 0, requested: 5 }
const pause = { courseUuid: 'c', since: at('09:59:00'), until: at('10:01:00') }

const cases: [string, Parameters<typeof facts>[0], string[]][] = [
  ['nothing blocks it', {}, []],
  [
    'every row is final, whatever blocks other runs',
    { states: { pending: 0, issued: 5 }, worker: false, obstacles: [obstacle('sweep', 'x')] },
    [],
  ],
  [
    'sending is stopped',
    { stop: { since: at('09:00:00'), reason: 'the ledger was rolled back' } },
    [
      'nothing is sent: the ledger was rolled back (since 09:00:00 UTC); an operator runs `credsync adopt` for each pipeline, and then `credsync trust-ledger --reason TEXT`',
    ],
  ],
  [
    'the report could not be checked for a new course',
    {
      run: { ...received, waits: 'The report could not be asked what it shows of the course.' },
      waitsSince: at('09:00:00'),
    },
    ['The report could not be asked what it shows of the course (since 09:00:00 UTC); it is retried automatically'],
  ],
  [
    'no worker is running',
    { worker: false },
    [
      'no worker is running, so nothing is processed; start one with `credsync start`, or run `credsync issue` with the same file again',
    ],
  ],
  [
    'the brake holds it, which is the only reason shown',
    {
      run: {
        state: 'braked',
        brake: { accepted: 9, usual: 3, because: 'It would issue 9, and 3 are usual.', shown: false, adopted: false },
        waits: null,
      },
      brakedAt: at('09:00:00'),
      worker: false,
    },
    [
      'It would issue 9, and 3 are usual (since 09:00:00 UTC); an operator runs `credsync approve` or `credsync reject`',
    ],
  ],
  [
    'the report cannot be read before anything is sent',
    { obstacles: [obstacle('issue', 'The credential report could not be read to its end.')] },
    [
      'nothing can be sent: The credential report could not be read to its end (since 10:00:00 UTC); it is retried automatically',
    ],
  ],
  ['no row has to be sent, while sending fails', { states: nothingToSend, obstacles: [obstacle('issue', 'x')] }, []],
  [
    'the report is down while requests are followed',
    { states: nothingToSend, obstacles: [obstacle('reconcile', 'HTTP 500')] },
    ['the report cannot be read: HTTP 500 (since 10:00:00 UTC); it is retried automatically'],
  ],
  [
    'the report ends early each time it is read',
    { states: nothingToSend, cutReadings: 3, cutSince: at('09:50:00'), nextReading: at('10:01:00') },
    ['the report was not read completely, 3 times in a row (since 09:50:00 UTC, until 10:01:00 UTC); it is read again'],
  ],
  ['the report moved once while it was read', { states: nothingToSend, cutReadings: 1, cutSince: now }, []],
  [
    'the report cannot be read at all, which is reported once',
    { states: nothingToSend, cutReadings: 3, cutSince: now, obstacles: [obstacle('reconcile', 'HTTP 500')] },
    ['the report cannot be read: HTTP 500 (since 10:00:00 UTC); it is retried automatically'],
  ],
  [
    'the service cannot be reached while the file is read',
    { run: received, obstacles: [obstacle('intake', 'ECONNREFUSED')] },
    ['the file cannot be accepted: ECONNREFUSED (since 10:00:00 UTC); it is retried automatically'],
  ],
  [
    'no worker sees the file',
    { run: received, missedAt: at('09:55:00') },
    [
      'the worker does not see the file, or does not know the pipeline (since 09:55:00 UTC); another worker may take it; after ten minutes it is refused',
    ],
  ],
  [
    'the queue is unavailable',
    { obstacles: [obstacle('sweep', 'The queue did not answer.')] },
    ['no work can be queued: The queue did not answer (since 10:00:00 UTC); it is retried every second'],
  ],
  [
    'an endpoint is paused after status 429',
    { obstacles: [obstacle('gate invite', 'at invite', at('10:01:30'))] },
    [
      'the service throttles calls (status 429): at invite (since 10:00:00 UTC, until 10:01:30 UTC); calls continue automatically',
    ],
  ],
  [
    'something else has stopped the workers',
    { obstacles: [obstacle('another subject', 'This must be looked at.')] },
    ['a worker cannot continue: This must be looked at (since 10:00:00 UTC); it is retried automatically'],
  ],
  [
    'the course is paused after errors',
    { pause: { ...pause, reason: 'two calls in a row', afterTrouble: true } },
    [
      'the course is paused: two calls in a row (since 09:59:00 UTC, until 10:01:00 UTC); one recipient is sent alone first, and the others once that call is accepted',
    ],
  ],
  [
    'the course is not approved, which is also the reason of its rows',
    {
      pause: { ...pause, since: new Date('2026-02-27T08:07:06Z'), reason: 'it is not approved', afterTrouble: false },
      rows: [{ reason: 'it is not approved', count: 5, until: null }],
    },
    [
      'the course is paused: it is not approved (since 2026-02-27 08:07 UTC, until 10:01:00 UTC); it is retried automatically',
    ],
  ],
  [
    'a canary is being sent',
    { canarySince: at('10:00:29') },
    [
      'one recipient of the course is sent alone first (since 10:00:29 UTC); the others follow once that call is accepted',
    ],
  ],
  [
    'another credential of the same person is unsettled',
    {
      rows: [
        { reason: 'waits until another credential of the same person is settled', count: 2, until: at('10:00:35') },
      ],
    },
    [
      '2 rows: waits until another credential of the same person is settled (until 10:00:35 UTC); they are sent automatically',
    ],
  ],
  [
    'the report has proven that rows were not accepted',
    {
      rows: [
        {
          reason: 'the report proves that the service did not process the request, so it is sent again',
          count: 15,
          until: null,
        },
      ],
    },
    [
      '15 rows: the report proves that the service did not process the request, so it is sent again; they are sent automatically',
    ],
  ],
  [
    'outcomes are unknown',
    { states: { pending: 0, unconfirmed: 3 }, doubtedSince: at('09:00:00'), nextReading: at('10:00:10') },
    [
      'the outcome of 3 rows is unknown (since 09:00:00 UTC); the report is read; rows that it proves absent are sent again after `reconcile.grace`',
    ],
  ],
]

describe('the reasons why a run waits', () => {
  test.each(cases)('are described if %s', (_, given, lines) => {
    expect(waitingReasons(facts(given)).map((waitingReason) => waitingLine(waitingReason, now))).toEqual(lines)
  })

  test('are all shown if there are several, the worker first', () => {
    const lines = waitingReasons(facts({ worker: false, obstacles: [obstacle('sweep', 'x')], canarySince: now }))
    expect(lines.map((line) => line.what)).toEqual([
      expect.stringContaining('no worker'),
      expect.stringContaining('be queued'),
      expect.stringContaining('alone first'),
    ])
  })

  test('contain times as text, or null, in a document', () => {
    const [waiting] = waitingReasons(facts({ canarySince: now }))
    expect(waiting && waitingDocument(waiting)).toEqual({
      what: 'one recipient of the course is sent alone first',
      since: '2026-03-01T10:00:30.000Z',
      until: null,
      next: 'the others follow once that call is accepted',
    })
  })
})

describe('the progress line', () => {
  const states = { ...noStates(), pending: 5 }
  const waits = ['the course is paused; it is retried', 'another thing']

  test('shows what the run waits for', () => {
    expect(progressLine({ phase: 'working', readRows: 5, states, waits })).toMatch(
      /0 final; waits: the course is paused; it is retried; another thing$/,
    )
    expect(progressLine({ phase: 'reading', readRows: 5, states, waits: ['x'] })).toBe('reading: 5 rows; waits: x')
  })

  test('is shown before any row is read if the run waits', () => {
    const stream = new PassThrough()
    openProgressDisplay(stream, steppedClock()).show({
      phase: 'reading',
      readRows: 0,
      states,
      waits: ['x'],
    })
    expect(String(stream.read())).toBe('reading: 0 rows; waits: x\n')
  })

  test('shows each reason in full, once, above the progress bar of a terminal', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 40 })
    const progress = openProgressDisplay(stream, steppedClock())
    for (const readRows of [5, 6, 7]) progress.show({ phase: 'working', readRows, states, waits })
    const shown = String(stream.read())
    for (const wait of waits) expect(shown.split(`waits: ${wait}\n`)).toHaveLength(2)
  })
})
