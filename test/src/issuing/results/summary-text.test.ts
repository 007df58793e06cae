// The summary page of a run.

import { expect, test } from 'vitest'
import { noStates } from '#src/domain/credential/state.ts'
import { summaryText } from '#src/issuing/results/summary-text.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { aRun } from '#test/support/domain-objects.ts'

const at = new Date('2026-11-21T02:14:59Z')
const textOf = (run: Partial<Run>, issued = 7) =>
  summaryText({ run: aRun(run), states: { ...noStates(), issued }, surplus: 0, problems: [] }, at)

test('shows the time, the counts, the paths of the tables, and the notices', () => {
  const problems = [{ field: 'Birth Date', rule: 'date', rows: 1, examples: [7], value: 'DD.MM.YYYY' }]
  const run = aRun({ invalidPath: '/in/outbox/people.00000000.invalid.csv', notices: ['The encoding was guessed.'] })
  expect(summaryText({ run, states: { ...noStates(), issued: 7 }, surplus: 0, problems }, at)).toBe(
    `As of 2026-11-21 02:14 UTC. This page is rewritten when something changes.

people.csv → spring (run 00000000-0000-4000-8000-000000000001)
  10 rows = 7 accepted + 1 invalid + 2 skipped (in the ledger already, or twice in the file)
  7 new, 2 known, 0 changed
        7 issued
  1 row needs attention: 1 invalid
  1 row: “Birth Date” is not a date; row 7 (written like DD.MM.YYYY)
    → Write the date like 1990-12-31, or declare the format of the file: columns: { Birth Date: { column: …, date: DD.MM.YYYY } }.
  results       results.csv, next to this page
  invalid rows  people.00000000.invalid.csv, next to this page
  note: The encoding was guessed.
`,
  )
})

test('shows the reason and the next step for a braked run', () => {
  const because = 'It would issue 900 people; the brake is set to 500.'
  const text = textOf(
    { state: 'braked', brake: { accepted: 900, usual: null, because, shown: false, adopted: false } },
    0,
  )
  expect(text).toContain(`  The run is waiting for a decision.\n  ${because} Nothing was issued. A person must decide:`)
})

test('shows whether a run was approved or rejected', () => {
  expect(textOf({ approval: { by: 'the registrar', why: 'a large term' } })).toContain('Approved by the registrar.')
  expect(textOf({ state: 'refused', refusal: 'Rejected by the registrar.' })).toContain(
    'The run was refused, and nothing is issued. Rejected by the registrar.',
  )
})

const head = `As of 2026-11-21 02:14 UTC. This page is rewritten when something changes.

people.csv → spring (run 00000000-0000-4000-8000-000000000001)
`

test('of a refused run has no counts, because they would be zeros without meaning', () => {
  expect(textOf({ state: 'refused', refusal: 'No such course.', notices: ['The encoding was guessed.'] })).toBe(
    `${head}  The run was refused, and nothing is issued. No such course.\n  note: The encoding was guessed.\n`,
  )
  expect(textOf({ state: 'refused', refusal: null })).toBe(`${head}  The run was refused, and nothing is issued.\n`)
})

test('of a held run lists people next to it only if they are completions', () => {
  const held = '  The people to whom it would issue credentials are listed in .waiting.csv, next to this page.\n'
  const brake = { accepted: 900, usual: null, because: 'It is large.', shown: false, adopted: false }
  const ofFile = textOf({ state: 'braked', brake })
  expect(ofFile).toBe(
    `${head}  The run is waiting for a decision.
  It is large. Nothing was issued. A person must decide:
    credsync approve 00000000-0000-4000-8000-000000000001   the run is right: read it again, and issue it regardless of its size
    credsync reject 00000000-0000-4000-8000-000000000001    the run is wrong: issue nothing
`,
  )
  expect(textOf({ state: 'braked', brake, sourcePath: 'completions:campus' })).toBe(ofFile + held)
})

test('of a run without tables names none, and says nothing about an approval that was not needed', () => {
  const text = textOf({ resultsPath: null, rows: 9, invalid: 0 })
  expect(text).not.toMatch(/next to this page|Approved|waiting|refused/)
})
