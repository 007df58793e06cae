// One person in two files, by two Primary Values: the second file's row is refused, with where the person is known from.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rehearseRows } from '#src/intake/rehearsal.ts'
import { openRowCheck } from '#src/intake/row-check.ts'
import { courseFields } from '#test/src/recipients/fields.ts'
import { aCourse } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const header = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Dial code', 'Birth Date', 'Primary Value']
const fields = courseFields.map((field) => ({ ...field, unique: false, regex: '' }))
type Person = [email: string, first: string, last: string, number: string, dial: string, born: string, primary: string]

interface Options {
  name?: string
  occurrence?: string[]
  constant?: boolean
}

function openCheck({ ledger }: TestLedger, { occurrence = [], constant = false }: Options) {
  const columns = constant ? { 'Primary Value': { value: 'Email' } } : {}
  const pipeline = { columns, identity: [], occurrence, correlation: undefined }
  return openRowCheck({ pipeline, fields, header, course: aCourse, hasher: ledger.hasher })
}

/** Publishes a file as the intake does. Gives the sentences of its invalid rows, and says what the dry run said before. */
async function publish(ledger: TestLedger, people: readonly Person[], options: Options = {}) {
  const rows = people.map((cells, index) => ({ row: index + 2, cells }))
  const check = openCheck(ledger, options)
  const { nameFields, primaryVaries } = check
  const known = primaryVaries && (await ledger.ledger.knownPeople(aCourse, { nameFields, ...primaryVaries }))
  async function* batches() {
    yield rows
  }
  const compare = (good: Parameters<typeof ledger.ledger.compareRows>[1]) => ledger.ledger.compareRows(aCourse, good)
  const told = await rehearseRows(batches(), { ...openCheck(ledger, options), known }, compare)
  const source = {
    pipeline: 'spring',
    sourceName: options.name ?? 'a.csv',
    sourcePath: '/a',
    sourceSha256: randomUUID(),
  }
  const { run } = await ledger.ledger.receiveRun(source)
  await ledger.ledger.stageRows(run.id, rows.map(check.row))
  const publication = { courseUuid: aCourse, format: 'csv', header, notices: [], nameFields, primaryVaries }
  await ledger.ledger.publishRun(run.id, publication, rows.length)
  const sentences: string[] = []
  await ledger.ledger.readResultRows(run.id, ['invalid'], async (found) => {
    for (const { violations } of found)
      sentences.push(...(violations ?? []).map((each) => `${each.rule}: ${each.sentence}`))
  })
  const published = await ledger.ledger.findRun(run.id)
  expect({ new: told.new, invalid: told.invalid, problems: told.problems }).toEqual({
    new: published?.accepted,
    invalid: published?.invalid,
    problems: await ledger.ledger.problemsOf(run.id),
  })
  return { sentences, accepted: published?.accepted, run: run.id }
}

const byMail: Person = ['xa@example.org', 'Xa', 'Fi', '30 7770', '49', '', 'Email']
const byNumber: Person = ['xa@example.org', 'Xa', 'Fi', '30 7770', '49', '', 'Contact Number']

describeWithDatabase('a person who is known by another Primary Value', () => {
  test.each([
    ['Email, then Contact Number', byMail, byNumber],
    ['Contact Number, then Email', byNumber, byMail],
    [
      'the address alone in common',
      byMail,
      ['XA@example.org', 'XA', 'Fi', '40 1', '49', '', 'Contact Number'] as Person,
    ],
    ['the number alone in common', byNumber, ['b@example.org', 'Xa', 'Fi', '(030) 77-70', '', '', 'Email'] as Person],
  ])('is refused, naming row and run: %s', async (_, first, second) => {
    await using ledger = await openTestLedger()
    const before = await publish(ledger, [first], { name: 'xf1.csv' })
    const { sentences, accepted } = await publish(ledger, [second, second])
    expect(accepted).toBe(0)
    expect(sentences).toHaveLength(2)
    expect(sentences[0]).toBe(
      `person_twice: The row names the same person as row 2 of xf1.csv (run ${before.run.slice(0, 8)}), by another Primary Value. Take the row out, or give it the Primary Value that it has there.`,
    )
  })

  test.each<[string, Person, Person, Options]>([
    ['a father and a son at one telephone', byMail, ['son@example.org', 'Xa', 'Fi', '30 7770', '49', '', 'Email'], {}],
    ['two names at one address', byMail, ['xa@example.org', 'Xo', 'Fi', '30 7771', '49', '', 'Contact Number'], {}],
    [
      'the next occasion of the same person',
      [...byMail.slice(0, 5), '2001-01-01', 'Email'] as Person,
      [...byNumber.slice(0, 5), '2002-01-01', 'Contact Number'] as Person,
      { occurrence: ['Birth Date'] },
    ],
  ])('is not %s', async (_, first, second, options) => {
    await using ledger = await openTestLedger()
    await publish(ledger, [first], options)
    expect(await publish(ledger, [second], options)).toMatchObject({ sentences: [], accepted: 1 })
  })

  test('is looked for only where rows may say by different fields who they are', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [byNumber])
    expect(await publish(ledger, [byMail], { constant: true })).toMatchObject({ accepted: 1 })
  })

  test('is told with the two names that the file gives one identity', async () => {
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
