// Rows that differ from a known credential, and when their difference is over: because a later list has ended it, or
// because somebody has decided.

import { expect, test } from 'vitest'
import { completionsPath } from '#src/ledger/runs/completions-path.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('changed rows that wait for a decision', () => {
  const bea = (person: number) => aRecipient(person, { 'First Name': 'Bea' })
  const lists: Recipient[][] = [
    [bea(1), bea(2), bea(3), bea(4)],
    // The first person differs again, and the second one does not any more.
    [aRecipient(1, { 'First Name': 'Cea' }), aRecipient(2)],
    [bea(3)],
    [aRecipient(5), aRecipient(5, { Grade: 'A' })],
  ]
  async function openIssued(): Promise<TestLedger> {
    const ledger = await openTestLedger()
    await ledger.publish(recipients(4))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan(recipients(4).map((person) => aReportItem(person)))
    return ledger
  }
  const waitingIn = async ({ ledger }: TestLedger) =>
    (await ledger.revocations.waitingChanges())
      .map(({ issuanceId, changedFields, row }) => `i${issuanceId} row ${row} ${changedFields.join()}`)
      .sort()
  const countIn = async ({ ledger }: TestLedger) => {
    const nothing = { pipelines: [], inboxes: [], targets: [], recipients: [], expecting: [] }
    const { changes } = await ledger.notices.readings({
      ...nothing,
      summarizeFrom: null,
      refusedFrom: null,
      countsChanges: true,
      now: new Date(),
    })
    return changes.map(({ count }) => count)
  }
  const expected = ['i1 row 2 First Name', 'i3 row 2 First Name', 'i4 row 5 First Name']
  const unmarked = `SELECT count(*) AS rows FROM run_row WHERE changed_fields IS NOT NULL AND NOT change_over`

  test.each<[string, readonly number[]]>([
    ['not compared', []],
    ['compared after each list', [0, 1, 2, 3]],
    ['compared at the end', [3]],
    ['compared in between', [1]],
  ])('are the same if lists are %s', async (_, compared) => {
    await using ledger = await openIssued()
    for (const [index, list] of lists.entries()) {
      await ledger.publish(list)
      if (compared.includes(index)) await ledger.ledger.notices.markPastChanges()
    }
    expect(await waitingIn(ledger)).toEqual(expected)
    expect(await countIn(ledger)).toEqual([3])
    if (compared.includes(3)) expect(await ledger.queryOne(unmarked)).toEqual({ rows: 3 })
  })

  test('do not include one that a list shows no longer, which was published at the same time and seen before', async () => {
    await using ledger = await openIssued()
    const later = await ledger.publish([aRecipient(1)])
    await ledger.ledger.notices.markPastChanges()
    const earlier = await ledger.publish([bea(1)])
    await ledger.database.query(
      `UPDATE run SET published_at = (SELECT published_at FROM run WHERE id = $2) - interval '1 second' WHERE id = $1`,
      [earlier, later],
    )
    expect(await waitingIn(ledger)).toEqual([])
    await ledger.ledger.notices.markPastChanges()
    expect(await countIn(ledger)).toEqual([])
    expect(await ledger.queryOne(unmarked)).toEqual({ rows: 0 })
  })

  test('do not include those that were decided', async () => {
    await using ledger = await openIssued()
    await ledger.publish([bea(1), bea(2)])
    await ledger.ledger.notices.markPastChanges()
    await ledger.database.query(
      `INSERT INTO history (issuance_id, from_state, to_state, event, evidence) VALUES (1, 'failed', 'pending', 'sent again', '{"fields": []}')`,
    )
    await ledger.ledger.notices.markPastChanges()
    expect(await countIn(ledger)).toEqual([1])
    expect(await ledger.queryOne(unmarked)).toEqual({ rows: 1 })
  })

  /** The issuances whose rows in this list are marked as over. */
  const overIn = async ({ database }: TestLedger, run: string) =>
    (
      await database.query<{ id: number }>(
        'SELECT issuance_id AS id FROM run_row WHERE run_id = $1 AND change_over ORDER BY 1',
        [run],
      )
    ).rows.map(({ id }) => id)

  test('are over if a later list ends them, but not one of completions, or an earlier one', async () => {
    await using ledger = await openIssued()
    const { database, ledger: verbs } = ledger
    const earlier = await ledger.publish([bea(4)])
    const list = await ledger.publish([bea(1), bea(2), bea(3), bea(4)])
    const differing = await ledger.publish([bea(1)])
    await ledger.publish([aRecipient(2)])
    const ofCompletions = await ledger.publish([bea(3)])
    await database.query('UPDATE run SET source_path = $2 WHERE id = $1', [ofCompletions, completionsPath('campus')])
    await verbs.notices.markPastChanges()
    expect(await overIn(ledger, list)).toEqual([1, 2])
    expect(await overIn(ledger, earlier)).toEqual([4])
    expect(await overIn(ledger, differing)).toEqual([])
  })

  test('are over in the list that a credential comes from', async () => {
    await using ledger = await openTestLedger()
    const list = await ledger.publish([aRecipient(1), aRecipient(1, { Grade: 'A' })])
    await ledger.ledger.notices.markPastChanges()
    expect(await overIn(ledger, list)).toEqual([1])
  })

  test('are not compared with lists of another environment, or of those that are not published', async () => {
    await using ledger = await openTestLedger()
    await addRun(ledger.database, 'published')
    await addRun(ledger.database, 'received', { state: 'received' })
    await addRun(ledger.database, 'of production', { environment: 'production' })
    await ledger.ledger.notices.markPastChanges()
    const { rows } = await ledger.database.query('SELECT source_name AS name FROM run WHERE changes_compared')
    expect(rows).toEqual([{ name: 'published' }])
  })

  test('are looked for in some lists at a time, those that were published first', async () => {
    await using ledger = await openTestLedger()
    await using unordered = await openUnordered(ledger)
    const compared = async () =>
      (
        await ledger.database.query<{ name: string }>(
          `SELECT source_name AS name FROM run WHERE changes_compared AND source_name NOT LIKE 'n%' ORDER BY 1`,
        )
      ).rows.map(({ name }) => name)
    const large = { rows: 100_000, accepted: 100_000 }
    for (const [index, name] of ['e', 'd', 'c', 'b', 'a'].entries())
      await addRun(ledger.database, name, { ...large, published_at: hoursAgo(1 + index) })
    await unordered.ledger.notices.markPastChanges()
    expect(await compared()).toEqual(['a', 'b'])
    await unordered.ledger.notices.markPastChanges()
    expect(await compared()).toEqual(['a', 'b', 'c', 'd'])
    // A thousand small lists that were published before.
    await withoutTriggers(
      ledger.database,
      `INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, published_at, changes_compared)
       SELECT 'development', 'spring', 'n' || n, '', n, 'published', '2020-01-01', true FROM generate_series(1, 1000) n`,
    )
    await unordered.ledger.notices.markPastChanges()
    expect(await compared()).toEqual(['a', 'b', 'c', 'd', 'e'])
    await ledger.database.query(`UPDATE run SET changes_compared = source_name = 'a'`)
    await unordered.ledger.notices.markPastChanges()
    expect(await compared()).toEqual(['a'])
  })
})
