// The text of a dry run and of a run's problems, as a document and as lines.

import { describe, expect, test } from 'vitest'
import { dryRunLines } from '#src/cli/text/dry-run-lines.ts'
import { type DryRunPlan, dryRunDocument } from '#src/issuing/intake/dry-run-document.ts'
import type { DryRun } from '#src/issuing/intake/dry-run-rows.ts'
import { problemLines } from '#src/issuing/results/run-summary.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'

const aProblem = (more: Partial<RunProblem> = {}): RunProblem => ({
  field: 'Birth Date',
  rule: 'date',
  rows: 112,
  examples: [7, 9, 12],
  value: '99.99.9999',
  ...more,
})

describe('the problems of a run', () => {
  test.each<[Partial<RunProblem>, string]>([
    [{}, '  112 rows: “Birth Date” is not a date; e.g. rows 7 (written like 99.99.9999), 9 and 12'],
    [{ rows: 3 }, '  3 rows: “Birth Date” is not a date; rows 7 (written like 99.99.9999), 9 and 12'],
    [
      { field: 'Email', rule: 'required', rows: 1, examples: [7], value: null },
      '  1 row: “Email” is empty, and the course requires it; row 7',
    ],
    [
      { field: 'Email', rule: 'email', rows: 2, examples: [7, 8], value: 'n… (6 characters)' },
      '  2 rows: “Email” is not an e-mail address; rows 7 (n… (6 characters)) and 8',
    ],
    [
      { field: '', rule: 'identity_conflict', rows: 2, examples: [2, 4], value: null },
      '  2 rows: the same person has different names; rows 2 and 4',
    ],
  ])('%j are described as %j', (more, line) => {
    expect(problemLines([aProblem(more)])[0]).toBe(line)
  })

  test('say what to do below each kind of problem', () => {
    expect(problemLines([aProblem()])[1]).toBe(
      '    → Write the date like 1990-12-31, or declare the format of the file: columns: { Birth Date: { column: …, date: DD.MM.YYYY } }.',
    )
    expect(problemLines([aProblem({ rule: 'of-a-later-version' })])).toHaveLength(1)
  })

  test('are shown for at most ten kinds, and the other kinds are counted', () => {
    const kinds = Array.from({ length: 13 }, (_, n) => aProblem({ field: `Field ${n}` }))
    const lines = problemLines(kinds)
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('  and 3 more kinds of problem')
    expect(problemLines(kinds.slice(0, 11)).at(-1)).toBe('  and 1 more kind of problem')
    expect(problemLines(kinds.slice(0, 10))).toHaveLength(20)
    expect(problemLines([])).toEqual([])
  })
})

const nothing: DryRun = {
  ...{ rows: 0, new: 0, known: 0, changed: 0, duplicates: 0, notMeant: 0, invalid: 0 },
  problems: [],
  recipients: [],
  unmasked: [],
}
const plan: DryRunPlan = {
  pipeline: 'spring',
  source: 'people.csv',
  notices: [],
  batchSize: 100,
  needsCanary: false,
  callsPerSecond: 60,
  brake: undefined,
  recentSizes: [],
  issuedToday: 0,
  reportShows: null,
}

describe('the calls of a dry run', () => {
  test.each([
    [0, true, 0, false],
    [1, true, 1, true],
    [100, false, 1, false],
    [101, true, 2, true],
    [102, true, 3, true],
  ])('for %i new people (canary needed: %j), there are %i calls', (fresh, needsCanary, calls, canary) => {
    const document = dryRunDocument({ ...nothing, rows: fresh, new: fresh }, { ...plan, needsCanary })
    expect(document).toMatchObject({ calls, canary, atLeastMs: (calls / 60) * 1_000 })
  })

  test('are shown with the limit and with the first recipient sent alone', () => {
    const document = dryRunDocument({ ...nothing, rows: 101, new: 101 }, { ...plan, needsCanary: true })
    expect(dryRunLines(document)[2]).toMatch(
      /^ {2}2 calls, the first with one recipient alone .*, at least 33ms at the limit of 60 per second$/,
    )
    expect(dryRunLines(dryRunDocument(nothing, plan))[2]).toBe('  no calls')
  })
})

test('rows that are not meant are counted', () => {
  const text = dryRunLines(dryRunDocument({ ...nothing, rows: 3, notMeant: 3 }, plan)).join('\n')
  expect(text).toContain('3 rows: 0 new, 0 already known, 0 changed, 0 twice in the file, 3 not meant, 0 invalid')
})

describe('the brake in a dry run', () => {
  test('is shown if it would stop the run, and only then', () => {
    const dryRun = { ...nothing, rows: 501, new: 501 }
    const stopped = dryRunDocument(dryRun, { ...plan, brake: { rows: 500 } })
    expect(stopped.brake).toContain('more than the limit of 500 (brake.rows)')
    expect(dryRunLines(stopped).join('\n')).toContain('The brake would stop the run: 501 rows would be issued')
    const free = dryRunDocument({ ...dryRun, new: 500 }, { ...plan, brake: { rows: 500 } })
    expect(free.brake).toBeNull()
    expect(dryRunLines(free).join('\n')).not.toContain('brake')
  })

  test('uses the usual size, or says that there is none yet', () => {
    const dryRun = { ...nothing, rows: 30, new: 30 }
    expect(dryRunDocument(dryRun, { ...plan, brake: { percent: 50 }, recentSizes: [10, 10, 10] }).brake).toMatch(
      /usual 10/,
    )
    const early = dryRunDocument(dryRun, { ...plan, brake: { percent: 50 }, recentSizes: [10] })
    expect(early.brake).toBeNull()
    expect(early.notices.join()).toContain('does not apply yet')
    expect(dryRunLines(early)).toContainEqual(expect.stringMatching(/^ {2}note: .*does not apply yet/))
  })
})

describe('the recipients of a dry run', () => {
  test('are shown as a table with one line per field and one column per recipient', () => {
    const recipients = [
      { Email: 'a…@e….org', 'First Name': 'A… (5 characters)', 'Primary Value': 'Email' },
      { Email: 'b…@e….org', 'Primary Value': 'Email', Other: `x${'y'.repeat(60)}` },
    ]
    const lines = dryRunLines(dryRunDocument({ ...nothing, rows: 2, new: 2, recipients }, plan)).slice(3)
    expect(lines).toEqual([
      '  The first 2 recipients as the service would receive them, values masked:',
      '    Email          a…@e….org          b…@e….org',
      '    First Name     A… (5 characters)',
      '    Primary Value  Email              Email',
      `    Other                             x${'y'.repeat(26)}…`,
    ])
  })

  test('have a line for images if images are sent, and the document names the images', () => {
    const recipients = [{ Email: 'a…@e….org' }, { Email: 'b…@e….org' }]
    const document = dryRunDocument(
      { ...nothing, rows: 2, new: 2, recipients, images: ['1.jpg', 'x\u001b[2J.png'] },
      plan,
    )
    expect(document.images).toEqual(['1.jpg', 'x\u001b[2J.png'])
    expect(dryRunLines(document).slice(4)).toEqual([
      '    Email    a…@e….org  b…@e….org',
      '    (image)  1.jpg      x?[2J.png',
    ])
    expect(dryRunDocument({ ...nothing, recipients }, plan)).not.toHaveProperty('images')
  })
})
