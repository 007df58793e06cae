// The page about a file, as its owner reads it.

import { expect, test } from 'vitest'
import { noStates } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import { summaryText } from '#src/write-back/summary-text.ts'
import { aRun } from '#test/support/build.ts'

const at = new Date('2026-11-21T02:14:59Z')
const told = (run: Partial<Run>, issued = 7) =>
  summaryText({ run: aRun(run), states: { ...noStates(), issued }, surplus: 0, problems: [] }, at)

test('says when, how many, where the tables are, and what was noticed', () => {
  const problems = [{ field: 'Birth Date', rule: 'date', rows: 1, examples: [7], value: 'DD.MM.YYYY' }]
  const run = aRun({ invalidPath: '/in/outbox/people.00000000.invalid.csv', notices: ['The encoding was guessed.'] })
  expect(summaryText({ run, states: { ...noStates(), issued: 7 }, surplus: 0, problems }, at)).toBe(
    `As of 2026-11-21 02:14 UTC. This page is written anew when there is news.

people.csv → spring (run 00000000-0000-4000-8000-000000000001)
  10 rows = 7 accepted + 1 invalid + 2 skipped (in the ledger already, or twice in the file)
  7 new, 2 known, 0 changed
        7 issued
  1 row needs a person: 1 invalid
  1 row: “Birth Date” is not a date; row 7 (written like DD.MM.YYYY)
    → Write it like 1990-12-31, or say how the file writes it: columns: { Birth Date: { column: …, date: DD.MM.YYYY } }.
  results       results.csv, beside this page
  invalid rows  people.00000000.invalid.csv, beside this page
  note: The encoding was guessed.
`,
  )
})

test('of a braked run says why, and how to go on', () => {
  const because = 'It would issue 900 people; the brake is set to 500.'
  const text = told({ state: 'braked', brake: { accepted: 900, usual: null, because } }, 0)
  expect(text).toContain(`  It waits for a person.\n  ${because} Nothing of it was issued; a person decides:`)
})

test('of a run that was approved or refused says so', () => {
  expect(told({ approval: { by: 'the registrar', why: 'a large term' } })).toContain('Approved by the registrar.')
  expect(told({ state: 'refused', refusal: 'Rejected by the registrar.' })).toContain(
    'It was refused, and nothing of it is issued. Rejected by the registrar.',
  )
})
