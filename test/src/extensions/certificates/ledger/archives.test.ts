// Which archives have certificates to fetch.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('an archive that was removed from the configuration', () => {
  test('has nothing fetched until it is configured again', async () => {
    await using testLedger = await openTestLedger()
    const { archives } = testLedger.ledger
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([aReportItem(aRecipient(1))])
    expect(await testLedger.states()).toEqual(['issued'])
    const spring = { pipeline: 'spring', folder: '/certificates' }

    await archives.watch([spring])
    await archives.watch([])
    expect(await archives.take()).toEqual([])
    await archives.watch([spring])
    expect(await archives.take()).toEqual(['spring'])
  })
})

describeWithDatabase('the archive of a pipeline', () => {
  /**
   * Certificates 1 to 4 are due, 4 for the longest time; 5 is due later, 6 is archived, and 7 is not issued. Certificate 8
   * is of another pipeline, and 9 of another environment; those are due too.
   */
  async function openDue() {
    const testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const production = await openWholeLedger(database, 'production')
    await testLedger.publish(recipients(7))
    await testLedger.publish(recipients(1, 8), { pipeline: 'autumn' })
    await publish(production, recipients(1))
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = CASE id WHEN 7 THEN 'revoked' ELSE 'issued' END, credential_id = 'C-' || id,
         archive_due_at = CASE id WHEN 5 THEN clock_timestamp() + interval '1 h' WHEN 6 THEN NULL ELSE clock_timestamp() - make_interval(hours => id::int) END`,
    )
    const folders = ['spring', 'autumn'].map((pipeline) => ({ pipeline, folder: `/${pipeline}` }))
    for (const { archives } of [ledger, production]) await archives.watch(folders)
    return { testLedger, production }
  }
  const file = {
    ...{ folder: '/spring', file: 'a.pdf', sha256: 'aa', size: 1, contentType: 'application/pdf' },
    fetchedAt: '2026-03-01T00:00:00Z',
  }

  test('contains its issued certificates, those that have waited longest first', async () => {
    const { testLedger, production } = await openDue()
    await using _ = testLedger
    const { archives } = testLedger.ledger
    const ids = async (limit: number) => (await archives.due('spring', limit)).map(({ issuanceId }) => issuanceId)
    expect(await ids(9)).toEqual([4, 3, 2, 1])
    expect(await ids(2)).toEqual([4, 3])
    await archives.noteFailure([2, 9], 'No.', 0)
    await archives.noteFailure([2], 'Still no.', 0)
    expect(await archives.due('spring', 9)).toContainEqual({ issuanceId: 2, credentialId: 'C-2', tries: 2 })
    expect(await production.archives.due('spring', 9)).toEqual([{ issuanceId: 9, credentialId: 'C-9', tries: 0 }])
    // Another worker has archived it in the meantime.
    await archives.noteFailure([6], 'No.', 0)
    expect(await ids(9)).not.toContain(6)
  })

  test('is taken while one of its certificates is due', async () => {
    const { testLedger, production } = await openDue()
    await using _ = testLedger
    const { archives } = testLedger.ledger
    expect((await archives.take()).sort()).toEqual(['autumn', 'spring'])
    expect(await archives.take()).toEqual([])
    await archives.noteFinished('spring')
    expect(await archives.take()).toEqual(['spring'])
    await archives.noteFinished('spring')
    await archives.noteKept('spring', [1, 2, 3, 4], file)
    expect(await archives.take()).toEqual([])
    expect(await production.archives.take()).toEqual(['spring'])
  })

  test('is taken again when its job seems to be lost, and not while it is postponed', async () => {
    const { testLedger } = await openDue()
    await using _ = testLedger
    const { database, ledger } = testLedger
    await ledger.archives.take()
    await database.query(`UPDATE archive SET asked_at = clock_timestamp() - interval '1 h' WHERE pipeline = 'spring'`)
    expect(await ledger.archives.take()).toEqual(['spring'])
    expect(await ledger.archives.postpone('spring', 'The folder is full.', 3_600_000)).toBe(true)
    expect(await ledger.archives.postpone('spring', 'The folder is full.', 3_600_000)).toBe(false)
    expect(await ledger.archives.take()).toEqual([])
    expect(await ledger.archives.recordOf('spring')).toEqual({ usedFolder: null, tries: 2 })
    expect(await ledger.archives.recordOf('autumn')).toEqual({ usedFolder: null, tries: 0 })
  })

  test('is shown with what it contains and what waits, for one environment or for all', async () => {
    const { testLedger } = await openDue()
    await using _ = testLedger
    const { database, ledger } = testLedger
    await ledger.archives.noteKept('spring', [1, 6, 8], file)
    await ledger.archives.noteKept('spring', [1], { ...file, file: 'b.pdf' })
    for (const id of [2, 3]) await ledger.archives.noteFailure([id], `No ${id}.`, 0)
    // The certificate of an issuance that was revoked since.
    await ledger.archives.noteFailure([7], 'No 7.', 0)
    const shown = async (environment: string) => {
      const { archives } = await openWholeLedger(database, environment)
      return (await archives.statuses()).map((each) => [
        ...[each.environment, each.pipeline, each.archived, each.waiting, each.troubled, each.example?.problem ?? null],
      ])
    }
    const own = [
      ['development', 'autumn', 0, 0, 0, null],
      ['development', 'spring', 2, 4, 2, 'No 3.'],
    ]
    expect(await shown('development')).toEqual(own)
    expect(await shown('any')).toEqual([
      ...own,
      ['production', 'autumn', 0, 0, 0, null],
      ['production', 'spring', 0, 1, 0, null],
    ])
    expect(await testLedger.queryOne('SELECT file FROM archived_certificate WHERE issuance_id = 1')).toEqual({
      file: 'a.pdf',
    })
  })
})
