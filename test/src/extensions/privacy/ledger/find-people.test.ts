// Whom an erasure would be about: what is found by equality of an identifier, and what is only listed.

import { expect, test } from 'vitest'
import { fieldsOf, forget, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const nobody = { text: '', issuance: null, row: null, learner: null }
const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const bea: Person = ['ada@example.org', 'Bea', 'King', 'R2', '1990-01-01']
const broken = (person: Person): Person => [...person.slice(0, 4), 'no date'] as Person

async function find({ ledger }: TestLedger, who: object, identity = ['Register Number']) {
  const [found] = await ledger.erasures.find([{ ...nobody, ...who }], fieldsOf({ identity }))
  if (!found) throw new Error('Nobody was looked for.')
  const { recipient: _, ...records } = found
  return records
}

const byAddress = { text: 'ADA@example.org' }
const account = (system: string, learner: string) => ({ text: `${system}:${learner}`, learner: { system, learner } })

/** A completion; with `row`, its row in a published run. */
async function complete(
  { ledger, database }: TestLedger,
  system: string,
  learner: string,
  person: Person,
  row?: object,
) {
  const [Email, first, last] = person
  const cells = { Email, 'First Name': first, 'Last Name': last }
  const source = { system, pipeline: 'spring', renewAfterMs: null }
  await ledger.completions.ingest(source, [{ learner, course: 'FIRE-1', completedAt: new Date(0), cells }], 'poll')
  const { run = null, row: number = null } = { ...row } as { run?: string; row?: number }
  if (run)
    await database.query(
      `UPDATE completion SET state = 'taken', run_id = $1, row_number = $2 WHERE id = (SELECT max(id) FROM completion)`,
      [run, number],
    )
}

describeWithDatabase('the records of a person', () => {
  test('are all with the address, in every course, if they have one name', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    const { run } = await publish(ledger, [ada, broken(['ada@example.org', 'ADA', 'king', 'R7', ''])], {
      course: otherCourse,
    })
    await complete(ledger, 'campus', '17', ada)
    expect(await find(ledger, byAddress)).toMatchObject({
      ...{ ids: [1, 2], rows: [{ run: run?.id, row: 3 }], completions: [1] },
      ...{ others: { ids: [], rows: [], completions: [] }, ambiguous: { ids: [] } },
    })
    expect(await find(ledger, { text: 'bea@example.org' })).toMatchObject({ ids: [], ambiguous: { ids: [] } })
  })

  test('are nobody’s if the address has several names, and each can be named', async () => {
    await using ledger = await openTestLedger()
    const { run } = await publish(ledger, [ada, bea, broken(bea)], { identity: ['Register Number'] })
    const row = { run: run?.id, row: 4 }
    expect(await find(ledger, byAddress)).toMatchObject({
      ...{ ids: [], rows: [], completions: [], ambiguous: { ids: [1, 2], rows: [row] } },
    })
    const others = { ids: [1], rows: [], completions: [] }
    expect(await find(ledger, { issuance: 2 })).toMatchObject({ ids: [2], rows: [row], others })
    expect(await find(ledger, { row })).toMatchObject({ ids: [2], rows: [row], others })
    expect(await find(ledger, { issuance: 1 })).toMatchObject({ ids: [1], others: { ids: [2], rows: [row] } })
  })

  test('are those with the single identity value', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada], { identity: ['Register Number'] })
    const elsewhere: Person = ['king@example.org', 'Ada', 'King', 'r1', '1990-01-01']
    await publish(ledger, [elsewhere], { identity: ['Register Number'], course: otherCourse })
    expect(await find(ledger, { text: 'R1' })).toMatchObject({ ids: [1, 2] })
    expect(await find(ledger, { issuance: 1 })).toMatchObject({ ids: [1, 2] })
  })

  test('are not those with one of several identity values, which many people may share', async () => {
    await using ledger = await openTestLedger()
    const identity = ['Register Number', 'Birth Date']
    await publish(ledger, [ada], { identity })
    for (const text of ['1990-01-01', 'R1'])
      expect(await find(ledger, { text }, identity)).toMatchObject({ ids: [], ambiguous: { ids: [] } })
  })

  test('are nobody’s if their names are not known, and each can be named', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await publish(ledger, [ada], { course: otherCourse })
    await withoutTriggers(
      ledger.database,
      `UPDATE issuance SET recipient = jsonb_build_object('Primary Value', 'Email', 'Email', 'ada@example.org', 'Nome completo', 'Ada King')`,
    )
    expect(await find(ledger, byAddress)).toMatchObject({ ids: [], ambiguous: { ids: [1, 2] } })
    expect(await find(ledger, { issuance: 1 })).toMatchObject({ ids: [1], others: { ids: [2] } })
  })

  test('include the line of corrections, and rows with a name from it', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, ['king@example.org', 'Ada', 'Lovelace', 'R9', '1990-01-01']])
    await withoutTriggers(ledger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 2')
    const { run } = await publish(ledger, [broken(['king@example.org', 'Ada', 'King', 'R9', ''])])
    for (const issuance of [1, 2])
      expect(await find(ledger, { issuance })).toMatchObject({ ids: [1, 2], rows: [{ run: run?.id, row: 2 }] })
  })

  test('are one person’s by an address with two names, if one corrects the other', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea], { identity: ['Register Number'] })
    await withoutTriggers(ledger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 2')
    expect(await find(ledger, byAddress)).toMatchObject({ ids: [1, 2], others: { ids: [] }, ambiguous: { ids: [] } })
  })

  test('include what was skipped as the person with other data, but not with another name', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    const { run } = await publish(ledger, [['ada@example.org', 'Ada', 'King', 'R1', '1991-01-01']])
    const other = await publish(ledger, [['ada@example.org', 'Adele', 'King', 'R1', '1990-01-01']])
    expect(await find(ledger, { issuance: 1 })).toMatchObject({
      ...{ ids: [1], rows: [{ run: run?.id, row: 2 }], others: { rows: [{ run: other.run?.id, row: 2 }] } },
    })
  })

  test('include all of an account of a learning system, whatever its addresses and names', async () => {
    await using ledger = await openTestLedger()
    const married: Person = ['drake@example.org', 'Ada', 'Drake', 'R1', '1990-01-01']
    const { run } = await publish(ledger, [ada])
    const later = await publish(ledger, [married], { course: otherCourse })
    await complete(ledger, 'campus', '17', ada, { run: run?.id, row: 2 })
    await ledger.database.query(`UPDATE completion SET completed_at = 'epoch'::timestamptz - interval '1 day'`)
    await complete(ledger, 'campus', '17', married, { run: later.run?.id, row: 2 })
    await complete(ledger, 'canvas', '17', bea)
    const all = { ids: [1, 2], completions: [1, 2] }
    expect(await find(ledger, { issuance: 2 })).toMatchObject({ ...all, others: { completions: [3] } })
    expect(await find(ledger, account('campus', '17'))).toMatchObject(all)
    expect(await find(ledger, account('moodle', '17'))).toMatchObject({ ids: [], completions: [] })
    expect(await find(ledger, account('canvas', '17'))).toMatchObject({ ids: [], completions: [3] })
  })

  test('of an account that is an address are told apart by their names', async () => {
    await using ledger = await openTestLedger()
    await complete(ledger, 'hooks', 'ada@example.org', ada)
    await ledger.database.query(`UPDATE completion SET completed_at = 'epoch'::timestamptz - interval '1 day'`)
    await complete(ledger, 'hooks', 'ada@example.org', bea)
    expect(await find(ledger, byAddress)).toMatchObject({ completions: [], ambiguous: { completions: [1, 2] } })
  })

  test('that were forgotten are found by address, number, learner, issuance and row', async () => {
    await using ledger = await openTestLedger()
    const { run } = await publish(ledger, [ada, broken(['cy@example.org', 'Cy', 'Drake', 'R3', ''])])
    await complete(ledger, 'campus', '17', ada, { run: run?.id, row: 2 })
    const row = { run: run?.id ?? '', row: 3 }
    await forget(ledger, [1])
    await forget(ledger, { rows: [row] })
    const { day } = await ledger.queryOne<{ day: string }>(
      `SELECT to_char(max(requested_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM erasure`,
    )
    for (const who of [byAddress, { issuance: 1 }, account('campus', '17')])
      expect(await find(ledger, who)).toMatchObject({ completions: [], earlier: { ids: [1], day } })
    for (const who of [{ text: 'cy@example.org' }, { row }])
      expect((await find(ledger, who)).earlier).toMatchObject({ ids: [], people: [2], day })
  })

  test('that were forgotten are one person’s if they have one name, and named if they have several', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea], { identity: ['Register Number'] })
    await publish(ledger, [ada], { course: otherCourse })
    await forget(ledger, [1])
    await forget(ledger, [2])
    const several = { ids: [], ambiguous: { ids: [1, 2, 3] }, earlier: { ids: [], people: [] } }
    expect(await find(ledger, byAddress)).toMatchObject(several)
    await forget(ledger, [3])
    expect(await find(ledger, byAddress)).toMatchObject(several)
    expect(await find(ledger, { issuance: 3 })).toMatchObject({ earlier: { ids: [1, 3] } })
    expect(await find(ledger, { issuance: 2 })).toMatchObject({ earlier: { ids: [2] } })
  })

  test('are not released for a learner with the number that somebody else had', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [['bea@example.org', 'Bea', 'King', '12345', '1990-01-01']], {
      identity: ['Register Number'],
    })
    await forget(ledger, [1], { identity: ['Register Number'] })
    expect((await find(ledger, account('campus', '12345'))).earlier).toMatchObject({ ids: [], people: [] })
    await complete(ledger, 'campus', '12345', ada)
    expect(await find(ledger, { text: '12345' })).toMatchObject({ completions: [], earlier: { ids: [1] } })
    expect(await find(ledger, account('campus', '12345'))).toMatchObject({ completions: [1], earlier: { ids: [] } })
  })

  test('are found by each address that they had, from one record to the next', async () => {
    await using ledger = await openTestLedger()
    const identity = ['Register Number']
    const moved: Person = ['king@example.org', 'Ada', 'King', 'R1', '1990-01-01']
    await publish(ledger, [ada], { identity })
    await publish(ledger, [moved], { identity })
    await forget(ledger, [1], { identity })
    expect(await find(ledger, { text: 'king@example.org' })).toMatchObject({ earlier: { ids: [1] } })
    await publish(ledger, [moved], { identity, course: otherCourse })
    const { id } = await ledger.queryOne<{ id: number }>('SELECT max(id) AS id FROM issuance')
    expect(await find(ledger, { issuance: id })).toMatchObject({ ids: [id], earlier: { ids: [1] } })
  })

  test('are nobody’s if that became so before they were to be forgotten', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea], { identity: ['Register Number'] })
    const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
    await expect(
      ledger.ledger.erasures.request([{ ...nobody, ...byAddress }], asked, fieldsOf({ identity: ['Register Number'] })),
    ).rejects.toThrow('Records came meanwhile that may be of somebody else. Nothing was changed.')
    expect(await ledger.ledger.erasures.list()).toEqual([])
  })

  test('whose retention ended are forgotten with what came since', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await publish(ledger, [ada], { course: otherCourse })
    await forget(ledger, [1])
    await ledger.database.query(`UPDATE erasure SET kind = 'retention', pipeline = 'spring'`)
    const [found] = await ledger.ledger.erasures.find(
      [{ ...nobody, ...byAddress }],
      fieldsOf({ identity: ['Register Number'] }),
    )
    expect(found).toMatchObject({ ids: [2], earlier: { ids: [1], expired: [1] } })
    const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
    await ledger.ledger.erasures.request(
      [{ ...nobody, ...byAddress }],
      asked,
      fieldsOf({ identity: ['Register Number'] }),
    )
    expect(
      await ledger.queryOne(
        `SELECT count(*) FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id AND x.kind = 'request'`,
      ),
    ).toEqual({ count: 2 })
  })
})
