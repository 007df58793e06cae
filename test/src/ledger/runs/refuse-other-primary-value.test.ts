// One person in two files with different Primary Values: the row of the second file is refused, with the row and the
// run from which the person is known.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dryRunRows } from '#src/issuing/intake/dry-run-rows.ts'
import { openRowCheck } from '#src/issuing/intake/row-check.ts'
import { completionsPath } from '#src/ledger/runs/completions-path.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const header = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Dial code', 'Birth Date', 'Primary Value']
const fields = courseFields.map((field) => ({ ...field, unique: false, regex: '' }))
type Person = [email: string, first: string, last: string, number: string, dial: string, born: string, primary: string]

interface Options {
  name?: string
  occurrence?: string[]
  constant?: boolean
  /** Whether the rows are completions. */
  completions?: boolean
}

function openCheck({ ledger }: TestLedger, { occurrence = [], constant = false }: Options) {
  const columns = constant ? { 'Primary Value': { value: 'Email' } } : {}
  const pipeline = { columns, identity: [], occurrence, correlation: undefined }
  return openRowCheck({ pipeline, fields, header, course: aCourse, hasher: ledger.hasher })
}

/**
 * Publishes a file as intake does, and checks that the preceding dry run reports the same problems.
 * @returns the messages of the invalid rows
 */
async function publish(ledger: TestLedger, people: readonly Person[], options: Options = {}) {
  const rows = people.map((cells, index) => ({ row: index + 2, cells }))
  const check = openCheck(ledger, options)
  const { nameFields, primaryVaries } = check
  const known = primaryVaries && (await ledger.ledger.knownRows.people(aCourse, { nameFields, ...primaryVaries }))
  async function* batches() {
    yield rows
  }
  const compare = (good: Parameters<typeof ledger.ledger.knownRows.compare>[1]) =>
    ledger.ledger.knownRows.compare(aCourse, good)
  const dryRun = await dryRunRows(batches(), { ...openCheck(ledger, options), known }, compare)
  const source = {
    pipeline: 'spring',
    sourceName: options.name ?? 'a.csv',
    sourcePath: options.completions ? completionsPath('campus') : '/a',
    sourceSha256: randomUUID(),
  }
  const { run } = await ledger.ledger.runs.receive(source)
  await ledger.ledger.intake.stage(run.id, rows.map(check.row))
  const publication = { courseUuid: aCourse, format: 'csv', header, notices: [], nameFields, primaryVaries }
  await ledger.ledger.intake.publish(run.id, publication, rows.length)
  const sentences: string[] = []
  await ledger.ledger.writeBacks.readRows(run.id, ['invalid'], async (found) => {
    for (const { violations } of found)
      sentences.push(...(violations ?? []).map((each) => `${each.rule}: ${each.sentence}`))
  })
  const published = await ledger.ledger.runs.find(run.id)
  expect({ new: dryRun.new, invalid: dryRun.invalid, problems: dryRun.problems }).toEqual({
    new: published?.accepted,
    invalid: published?.invalid,
    problems: await ledger.ledger.violations.byKind(run.id),
  })
  return { sentences, accepted: published?.accepted, run: run.id }
}

const byMail: Person = ['xa@example.org', 'Xa', 'Fi', '30 7770', '49', '', 'Email']
const byNumber: Person = ['xa@example.org', 'Xa', 'Fi', '30 7770', '49', '', 'Contact Number']

describeWithDatabase('a person known by a different Primary Value', () => {
  test.each([
    ['Email, then Contact Number', byMail, byNumber],
    ['Contact Number, then Email', byNumber, byMail],
    [
      'only the address in common',
      byMail,
      ['XA@example.org', 'XA', 'Fi', '40 1', '49', '', 'Contact Number'] as Person,
    ],
    ['only the number in common', byNumber, ['b@example.org', 'Xa', 'Fi', '(030) 77-70', '', '', 'Email'] as Person],
  ])('is refused with a message that names the row and the run: %s', async (_, first, second) => {
    await using ledger = await openTestLedger()
    const before = await publish(ledger, [first], { name: 'xf1.csv' })
    const { sentences, accepted } = await publish(ledger, [second, second])
    expect(accepted).toBe(0)
    expect(sentences).toHaveLength(2)
    expect(sentences[0]).toBe(
      `person_twice: The row names the same person as row 2 of xf1.csv (run ${before.run.slice(0, 8)}), but with a different Primary Value. Remove the row, or use the Primary Value of that row.`,
    )
  })

  test('gets no advice to remove a row if the row is a completion', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [byMail])
    const { sentences } = await publish(ledger, [byNumber], { completions: true })
    expect(sentences).toEqual([
      expect.stringMatching(/but with a different Primary Value\. If they are one person, that person has/),
    ])
  })

  test('is refused only if rows may identify people by different fields', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [byNumber])
    expect(await publish(ledger, [byMail], { constant: true })).toMatchObject({ accepted: 1 })
  })

  test('is reported together with a conflict of names in the same file', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [byMail])
    const other: Person = ['eve@example.org', 'Eve', 'Fi', '30 7770', '49', '', 'Contact Number']
    const { sentences, accepted } = await publish(ledger, [byNumber, other])
    expect(accepted).toBe(0)
    expect(sentences.map((sentence) => sentence.split(':')[0])).toEqual([
      'person_twice',
      'identity_conflict',
      'identity_conflict',
    ])
  })
})
