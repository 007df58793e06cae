// Which images are deleted: those that no row needs any longer.

import { expect, test } from 'vitest'
import { removeImages } from '#src/ledger/runs/images.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aStagedRow, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

/** By issuance: its state, and whether its image and that of a row about it are needed. */
const issuances: [state: string, needsOwn: boolean, needsThatOfRow: boolean][] = [
  ['pending', true, false],
  ['failed', true, true],
  ['failed with a credential', true, false],
  ['held', true, false],
  ['issued', false, false],
  ['rejected', false, false],
  ['revoked', false, false],
]

describeWithDatabase('an image', () => {
  test('is deleted unless a row needs it', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const add = async (name: string) => {
      await database.query(
        `INSERT INTO image (sha256, bytes, type) VALUES (sha256($1::text::bytea), $1::text::bytea, 'png')`,
        [name],
      )
      return name
    }
    await testLedger.publish(recipients(issuances.length))
    const later = await testLedger.publish(recipients(issuances.length))
    for (const [index, [state]] of issuances.entries()) {
      await withoutTriggers(
        database,
        `UPDATE issuance SET state = $2, credential_id = $3, image_sha256 = sha256($4::text::bytea) WHERE id = $1`,
        [index + 1, state.split(' ')[0], /with|issued|revoked/.test(state) ? 'C' : null, await add(`own of ${state}`)],
      )
      await withoutTriggers(
        database,
        `UPDATE run_row SET image_sha256 = sha256($3::text::bytea) WHERE run_id = $1 AND issuance_id = $2`,
        [later, index + 1, await add(`row of ${state}`)],
      )
    }
    const { run } = await ledger.runs.receive({
      pipeline: 'spring',
      sourceName: 'a',
      sourcePath: '/a',
      sourceSha256: 'a',
    })
    await ledger.intake.stage(run.id, [aStagedRow(2, aRecipient(50), ledger.hasher)])
    await database.query(`UPDATE staged_row SET image_sha256 = sha256($1::text::bytea)`, [await add('staged')])
    await add('of nobody')
    const needed = [
      'staged',
      ...issuances.flatMap(([state, own, row]) => [
        ...(own ? [`own of ${state}`] : []),
        ...(row ? [`row of ${state}`] : []),
      ]),
    ]
    expect(await removeImages(database)).toBe(2 * issuances.length + 2 - needed.length)
    const { rows } = await database.query<{ name: string }>(`SELECT convert_from(bytes, 'UTF8') AS name FROM image`)
    expect(rows.map(({ name }) => name).sort()).toEqual(needed.sort())
  })
})
