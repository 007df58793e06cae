// Which completions an operator is shown, and with what: those that wait for a credential, those that the brake holds,
// and those whose rows are invalid.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import type { CompletionOrigin, CompletionSource } from '#src/extensions/lms/ledger/completions.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

type Cells = Record<string, string>
const completedAt = new Date('2026-03-01')
const poll: CompletionOrigin = 'poll'
const campus: CompletionSource = { system: 'campus', pipeline: 'spring', renewAfterMs: null }

const ingest = (
  { completions }: WholeLedger,
  learner: string,
  cells: Cells = {},
  source: Partial<CompletionSource> = {},
) => completions.ingest({ ...campus, ...source }, [{ learner, course: 'F', completedAt, cells }], poll)

interface Violation {
  rule: string
  column?: string
  field?: string
}

/** Publishes the ready completions of a pipeline in a run: each row breaks these rules, or is accepted if there are none. */
async function publish(
  ledger: WholeLedger,
  rows: readonly (readonly Violation[])[],
  pipeline = 'spring',
): Promise<string> {
  const run = (await ledger.completions.createRun(pipeline)) ?? ''
  const staged = rows.map((violations, index) =>
    violations.length > 0
      ? { ...aBadRow(index + 2), violations: violations.map((each) => ({ ...each, sentence: `${each.rule}.` })) }
      : aStagedRow(index + 2, aRecipient(index), ledger.hasher),
  )
  await ledger.intake.stage(run, staged)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], rulesHash: 'old' }
  await ledger.intake.publish(run, publication, rows.length)
  return run
}

const required = (column: string) => ({ rule: 'required', column, field: column })
const primaryValue = { rule: 'primary_value', column: '', field: 'Primary Value' }

describeWithDatabase('completions with invalid rows', () => {
  /** Of system, pipeline and environment in question, and one beside each of them. */
  async function openInvalid(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const production = await openWholeLedger(database, 'production')
    for (const learner of ['3', '4', 'bea', '6', '7', '8', '9']) await ingest(ledger, learner, { city: 'Bonn' })
    await publish(ledger, [
      [required('phone'), required('born')],
      [primaryValue],
      [required('city'), { rule: 'too_long', column: 'street', field: 'street' }],
      [{ rule: 'unique' }],
      [],
      [required('phone')],
      [required('phone')],
    ])
    await database.query(`UPDATE completion SET refused_by = NULL WHERE learner = '8'`)
    await ingest(ledger, '10', {}, { system: 'seminar' })
    await publish(ledger, [[required('fax')]])
    await ingest(ledger, '11', {}, { pipeline: 'autumn' })
    await publish(ledger, [[required('phone')]], 'autumn')
    await ingest(production, '12')
    await publish(production, [[required('phone')]])
    return testLedger
  }

  test('are listed by the rule that they break, the most frequent first, with those learners who have a number', async () => {
    await using testLedger = await openInvalid()
    await ingest(testLedger.ledger, '13')
    const last = await publish(testLedger.ledger, [[required('born')]])
    await using unordered = await openUnordered(testLedger)
    const invalid = await unordered.ledger.completions.invalid()
    expect(
      invalid.map(
        ({ pipeline, system, rule, field, completions, learners }) =>
          `${pipeline} ${system} ${completions} ${rule} ${field}: ${learners}`,
      ),
    ).toEqual([
      'autumn campus 1 required phone: 11',
      'spring campus 2 required born: 13,3',
      'spring campus 2 required phone: 3,9',
      'spring campus 1 primary_value Primary Value: 4',
      'spring campus 1 required city: ',
      'spring campus 1 too_long street: ',
      'spring campus 1 unique : 6',
      'spring seminar 1 required fax: 10',
    ])
    expect(invalid[1]?.run).toBe(last)
  })
})

describeWithDatabase('completions that wait for a credential', () => {
  /** One of every kind, each with the address `kind@example.org`. */
  async function openWaiting(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const add = (kind: string, cells: Cells = {}) => ingest(ledger, kind, { email: 'Ada@Example.org', ...cells })
    await add('invalid')
    await add('accepted')
    await publish(ledger, [[{ rule: 'one' }, { rule: 'two' }], []])
    await add('refused')
    await ledger.runs.refuse((await ledger.completions.createRun('spring')) ?? '', 'The course is wrong.')
    await add('read')
    await ledger.completions.createRun('spring')
    await add('ready', { username: 'ADA', idnumber: '007' })
    await add('other', { email: 'bea@example.org' })
    await ingest(ledger, 'repeated', { email: 'ada@example.org' })
    await database.query(`UPDATE completion SET state = 'same' WHERE learner = 'repeated'`)
    await ingest(await openWholeLedger(database, 'production'), 'production', { email: 'ada@example.org' })
    return testLedger
  }
  const found = async ({ elsewhere }: WholeLedger, who: string) =>
    (await elsewhere.ofPerson(who)).waiting.map(({ learner, reason }) => (reason ? `${learner}: ${reason}` : learner))

  test('are found by an address, with the reason, in the order in which they came', async () => {
    await using testLedger = await openWaiting()
    const all = ['invalid: one. two.', 'refused: The course is wrong.', 'read', 'ready']
    expect(await found(testLedger.ledger, 'ADA@example.org')).toEqual(all)
    const everywhere = await openWholeLedger(testLedger.database, 'any')
    expect(await found(everywhere, 'ADA@example.org')).toEqual([...all, 'production'])
    await testLedger.database.query(
      `UPDATE completion SET found_at = found_at - interval '1 h' WHERE learner IN ('read', 'ready')`,
    )
    await using unordered = await openUnordered(testLedger)
    expect(await found(unordered.ledger, 'ada@example.org')).toEqual([...all.slice(2), ...all.slice(0, 2)])
  })

  test.each(['ready', '007', 'ada'])('are found by a name of the learner: %s', async (who) => {
    await using testLedger = await openWaiting()
    expect(await found(testLedger.ledger, who)).toEqual(['ready'])
  })

  test('are not found by a part of a name, or with an ID number in other letters', async () => {
    await using testLedger = await openWaiting()
    for (const who of ['07', 'READY', 'ada@example']) expect(await found(testLedger.ledger, who)).toEqual([])
  })

  test('are counted by pipeline and system, without those in a run that is read', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    for (const pipeline of ['winter', 'autumn', 'spring', 'summer', 'advent'])
      for (const system of ['seminar', 'campus']) await ingest(ledger, '3', {}, { pipeline, system })
    await ingest(await openWholeLedger(database, 'production'), '3')
    await ledger.completions.createRun('summer')
    await using unordered = await openUnordered(testLedger)
    const counts = await unordered.ledger.completions.counts()
    expect(counts.map(({ pipeline, system, ready, refused }) => `${pipeline} ${system} ${ready} ${refused}`)).toEqual([
      ...['advent', 'autumn', 'spring'].flatMap((pipeline) => [`${pipeline} campus 1 0`, `${pipeline} seminar 1 0`]),
      ...['summer campus 1 0', 'winter campus 1 0', 'winter seminar 1 0'],
    ])
    // A run that waits to be read is not refused.
    expect(await ledger.completions.waitAgain()).toBe(0)
  })
})

describeWithDatabase('a run of completions', () => {
  test('has the columns that its completions fill, and shows them while it is held', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ingest(ledger, '3', { other: 'x' })
    await ledger.completions.createRun('spring')
    await ingest(ledger, '4', { street: 'a', email: 'b' })
    await ingest(ledger, '5', { city: 'c' })
    const run = (await ledger.completions.createRun('spring')) ?? ''
    expect(await ledger.elsewhere.held(run)).toEqual([])
    await withoutTriggers(
      database,
      `UPDATE run SET state = 'braked', would_accept = 1, braked_at = now(), braked_because = 'Many.'`,
    )
    await database.query(`UPDATE completion SET held_as = 'known' WHERE learner = '4'`)
    await using unordered = await openUnordered(testLedger)
    const { completions, elsewhere } = unordered.ledger
    expect(await completions.columnsOf(run)).toEqual(['city', 'email', 'street'])
    expect((await elsewhere.held(run)).map(({ row, learner, heldAs }) => `${row} ${learner} ${heldAs}`)).toEqual([
      '2 4 known',
      '3 5 issue',
    ])
  })
})
