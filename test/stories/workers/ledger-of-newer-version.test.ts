// A worker whose ledger was changed by a newer version, as in a rolling upgrade, stops sending, reports why, and exits.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { issue, openWorkspace, people } from '#test/src/cli/cli-workspace.ts'
import { startProgram } from '#test/src/cli/start-program.ts'
import { describeWithDatabase } from '#test/support/database.ts'

/** Adds a column to a table that is in use, and gives it a value from the data. */
const later = `
ALTER TABLE run ADD COLUMN later integer;
UPDATE run SET later = accepted;
ALTER TABLE run ALTER COLUMN later SET NOT NULL, ALTER COLUMN later SET DEFAULT 0;
`

/** Makes a newer version of the program: a copy with one more migration. @returns its entry file */
async function newerVersion(): Promise<string> {
  const root = resolve(import.meta.dirname, '../../..')
  const folder = await mkdtemp(join(tmpdir(), 'credsync-newer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const part of ['src', 'sandboxes', 'jobs', 'config', 'package.json'])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'src/ledger/migrations/9999-later.sql'), later)
  return join(folder, 'jobs/credsync.mjs')
}

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

  test('makes no call after the migration, in the middle of its list; the newer version issues the rest', async () => {
    const pipeline = { batch: { size: 1 } }
    // Slow enough for the newer version to start while most of the list is still to be sent.
    const slow = { service: { environment: 'development', limits: { general: 1 } } }
    const workspace = await openWorkspace({ pipeline, file: slow })
    const config = JSON.parse(await readFile(join(workspace.folder, 'credsync.yaml'), 'utf8'))
    await workspace.write('newer.yaml', JSON.stringify({ ...config, service: { environment: 'development' } }))
    const list = await workspace.write('list.csv', people(40))
    const script = await newerVersion()
    const runNewer = (...args: string[]) => {
      const { folder: cwd, env } = workspace
      const running = startProgram([...args, '--config', 'newer.yaml'], { cwd, env, script })
      onTestFinished(() => running.stop())
      return running.ended
    }
    const older = workspace.start(issue(list, '--wait'), { CREDSYNC_LOG_LEVEL: 'info' })
    await older.waitForOutput('"event":"attempt.sent"')
    // Every command migrates the ledger, and `status` ends by itself: `start` would run on if the older worker, which
    // notices the migration within a second, had given up its lock by then.
    expect((await runNewer('status')).code).toBe(0)
    const ended = await older.ended
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('(9999-later.sql)')])

    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    const { rows } = await database.query<{ before: number; after: number }>(
      `SELECT count(*) FILTER (WHERE c.at <= m.applied_at)::int AS before, count(*) FILTER (WHERE c.at > m.applied_at)::int AS after
       FROM claim c, migration m WHERE m.name = '9999-later.sql'`,
    )
    const { before = 0, after } = rows[0] ?? {}
    expect([before > 0, before < 40, after]).toEqual([true, true, 0])
    expect((await runNewer('issue', list, '--pipeline', 'spring', '--wait')).code).toBe(0)
    const { rows: runs } = await database.query('SELECT accepted, later FROM run')
    expect(runs).toEqual([{ accepted: 40, later: 40 }])
    const addresses = workspace.sandbox.requests().map(({ student }) => student.Email)
    expect([addresses.length, new Set(addresses).size]).toEqual([40, 40])
  })
})
