// The command forget --rewrite: the pages of the tables have nothing of earlier versions of rows, and workers refuse it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { issue, openWorkspace, people, type Workspace } from '#test/src/cli/cli-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'

async function openClient({ env }: Workspace): Promise<pg.Client> {
  const client = new pg.Client(env.DATABASE_URL)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** The bytes of a table on disk. */
async function pagesOf(client: pg.Client, table: string): Promise<string> {
  await client.query('CHECKPOINT')
  const { rows } = await client.query<{ path: string }>(
    `SELECT current_setting('data_directory') || '/' || pg_relation_filepath($1::regclass) AS path`,
    [table],
  )
  return readFile(join(rows[0]?.path ?? ''), 'latin1')
}

describeWithDatabase('credsync forget --rewrite', () => {
  test('leaves nothing of emptied rows in the pages', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(2)), '--wait'))
    const client = await openClient(workspace)
    await client.query('SET session_replication_role = replica')
    await client.query(`UPDATE credsync.run_row SET cells = '[]' WHERE row_number = 2`)
    expect(await pagesOf(client, 'credsync.run_row')).toContain('person.1@example.org')
    expect((await workspace.run(['forget', '--rewrite'])).stderr).toContain('Nothing was changed')
    expect(await pagesOf(client, 'credsync.run_row')).toContain('person.1@example.org')

    const done = await workspace.run(['forget', '--rewrite', '--yes', '--json'])
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { tables: 11, keptSamples: [] }])
    const pages = await pagesOf(client, 'credsync.run_row')
    expect(pages).not.toContain('person.1@example.org')
    expect(pages).toContain('person.2@example.org')
  })

  test('is refused while a worker runs', async () => {
    const workspace = await openWorkspace()
    const worker = workspace.start(['start', '--config', 'credsync.yaml'])
    const client = await openClient(workspace)
    await until(
      'the worker is registered',
      async () => (await client.query('SELECT FROM credsync.worker')).rowCount === 1,
    )
    const refused = await workspace.run(['forget', '--rewrite', '--yes'])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/1 worker must be stopped first \(development: process \d+/),
    ])
    await worker.stop()
    expect((await workspace.run(['forget', '--rewrite', '--yes'])).code).toBe(0)
  })
})
