// People who are known under another identity rule: a new row of such a person is refused, as the dry run reported.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dryRunRows } from '#src/issuing/intake/dry-run-rows.ts'
import { openRowCheck } from '#src/issuing/intake/row-check.ts'
import { knownByOtherIdentity } from '#src/ledger/runs/refuse-other-identity.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const header = ['Email', 'First Name', 'Last Name', 'Register Number', 'Birth Date']
const fields = [
  ...courseFields.filter((field) => field.displayName !== 'Register Number'),
  { ...(courseFields[0] as (typeof courseFields)[number]), displayName: 'Register Number', name: 'reg_no', id: 'reg' },
].map((field) => ({ ...field, unique: false, regex: '', required: false }))
type Person = [email: string, first: string, last: string, register: string, born: string]

async function publish(
  { ledger, database }: TestLedger,
  people: readonly Person[],
  identity: string[],
  occurrence: string[] = [],
) {
  const rows = people.map((cells, index) => ({ row: index + 2, cells }))
  const columns = { 'Primary Value': { value: 'Email' } }
  const pipeline = { columns, identity, occurrence, correlation: undefined }
  const check = () => openRowCheck({ pipeline, fields, header, course: aCourse, hasher: ledger.hasher })
  const { nameFields, primaryVaries, identified } = check()
  async function* batches() {
    yield rows
  }
  const dryRun = await dryRunRows(batches(), check(), async (good) => {
    const found = await ledger.knownRows.compare(aCourse, good)
    const scope = { environment: ledger.environment, course: aCourse, rule: { nameFields, ...identified } }
    const otherwise = await knownByOtherIdentity(database, scope, good)
    return found.map((entry, at) => (entry === 'unknown' && otherwise[at] ? 'person twice' : entry))
  })
  const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a', sourceSha256: randomUUID() }
  const { run } = await ledger.runs.receive(source)
  await ledger.intake.stage(run.id, rows.map(check().row))
  const publication = { courseUuid: aCourse, format: 'csv', header, notices: [], nameFields, primaryVaries, identified }
  await ledger.intake.publish(run.id, publication, rows.length)
  const sentences: string[] = []
  await ledger.writeBacks.readRows(run.id, ['invalid'], async (found) => {
    for (const { violations } of found)
      sentences.push(...(violations ?? []).map((each) => `${each.rule}: ${each.sentence}`))
  })
  const published = await ledger.runs.find(run.id)
  expect({ new: dryRun.new, invalid: dryRun.invalid }).toEqual({
    new: published?.accepted,
    invalid: published?.invalid,
  })
  return { sentences, accepted: published?.accepted, known: published?.known }
}

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const withoutNumber: Person = ['ada@example.org', 'Ada', 'King', '', '1990-01-01']
const byEmail = ['Email']
const byNumber = ['Register Number']

describeWithDatabase('a person known under another identity rule', () => {
  test.each([
    ['by the number that both have', ada, ada],
    ['by the name, if the known record has no number', withoutNumber, ada],
    ['by the number, whatever the name', ada, ['ada@example.org', 'Adda', 'King', 'R1', ''] as Person],
  ])('is refused %s', async (_, first, second) => {
    await using ledger = await openTestLedger()
    await publish(ledger, [first], byEmail)
    const { sentences, accepted } = await publish(ledger, [second], byNumber)
    expect(accepted).toBe(0)
    expect(sentences).toEqual([
      expect.stringMatching(
        /^person_twice: The row names the same person as row 2 of a\.csv \(run \w{8}\), but under a different identity rule\./,
      ),
    ])
  })

  test('is not refused if the rule is the same: separate people stay separate, and known people stay known', async () => {
    await using ledger = await openTestLedger()
    const son: Person = ['ada@example.org', 'Ada', 'King', 'R2', '']
    await publish(ledger, [ada], byNumber)
    expect(await publish(ledger, [ada, son], byNumber)).toEqual({ sentences: [], accepted: 1, known: 1 })
  })
})
