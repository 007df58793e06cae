// A worker whose ledger was changed by a newer version, as in a rolling upgrade, stops sending, reports why, and exits.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { issue, openWorkspace, people } from '#test/src/cli/cli-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'

describeWithDatabase('a worker whose ledger a newer version has changed', () => {
  test('exits with a message, and sends nothing', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start(['start', '--config', 'credsync.yaml'])
    await worker.waitForOutput('Ctrl-C stops it.')
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(`INSERT INTO migration (name) VALUES ('9999-later.sql')`)
    const { code, stderr } = await worker.ended
    expect(stderr).toMatch(/^This ledger was migrated by a newer version of credsync \(9999-later\.sql\)/m)
    expect(code).toBe(1)

    await workspace.write('list.csv', people(3))
    const refused = await workspace.run(issue('list.csv'))
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('newer version of credsync (9999-later.sql)'),
    })
    expect(workspace.sandbox.journal().invitesAccepted).toBe(0)
  })
})
