// The results of a list with semicolons also have semicolons, so that the same program shows both in columns.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { writeBack } from '#jobs/write-back.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld } from '#test/support/world.ts'

const source = [
  'e_mail;First Name;Last Name;note',
  'ada@example.org;Ada;Lovelace;"one; two"',
  'no one;Grace;Hopper;a, b',
  '',
].join('\n')

describeWithDatabase('a list with semicolons', () => {
  test('gets results and invalid rows with semicolons', async () => {
    await using world = await openWorld()
    const runId = await world.receive('spring.csv', source)
    await intake(world.app, { runId })
    await world.app.ledger.writeBacks.want(runId)
    await writeBack(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect(run).toMatchObject({ separator: ';', rows: 2, invalid: 1 })
    const lines = async (path: string | null | undefined) => (await readFile(path ?? '', 'utf8')).split('\r\n')
    const [header, first] = await lines(run?.resultsPath)
    expect(header).toBe(
      '\ufeffe_mail;First Name;Last Name;note;status;credential_id;verifier_link;issue_date;valid_till;reason',
    )
    expect(first).toMatch(/^ada@example\.org;Ada;Lovelace;"one; two";pending;/)
    expect((await lines(run?.invalidPath))[1]).toContain(';no one;Grace;Hopper;a, b')
  })
})
