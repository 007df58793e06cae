// Where a demo stores its data on a machine without the embedded database: in a database of its own, and never in one
// that may hold the ledger of somebody.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demoStorage, whatLeaves } from '#src/cli/demo/demo-storage.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, onServer, testDatabase } from '#test/support/database.ts'

const windows = { platform: 'win32', arch: 'x64', hasGlibc: () => false }

async function openPlace() {
  const cwd = await mkdtemp(join(tmpdir(), 'credsync-demo-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const database = await testDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  onTestFinished(() => onServer('DROP DATABASE IF EXISTS credsync_demo WITH (FORCE)'))
  return { cwd, url: database.url }
}

describeWithDatabase('a demo', () => {
  test('uses the embedded database where there is one, whatever DATABASE_URL says', async () => {
    const { cwd, url } = await openPlace()
    const storage = await demoStorage({ cwd, env: { DATABASE_URL: url } })
    expect(storage).toEqual({ dataDir: join(cwd, 'data/demo'), databaseUrl: null })
    expect(whatLeaves(storage)).toBe('Nothing leaves this machine.')
  })

  test('uses a database of its own where there is none, and the same one the next time', async () => {
    const { cwd, url } = await openPlace()
    expect((await demoStorage({ cwd, env: {} }, windows)).databaseUrl).toBeNull()
    const storage = await demoStorage({ cwd, env: { DATABASE_URL: url } }, windows)
    const own = storage.databaseUrl?.reveal() ?? ''
    expect(new URL(own).pathname).toBe('/credsync_demo')
    expect(whatLeaves(storage)).toContain('credsync_demo, on the server of DATABASE_URL')
    await using database = openDatabase(own)
    await database.query('CREATE TABLE public.of_the_demo_before ()')
    expect((await demoStorage({ cwd, env: { DATABASE_URL: url } }, windows)).databaseUrl?.reveal()).toBe(own)
    expect(await database.query('SELECT FROM public.of_the_demo_before')).toMatchObject({ rowCount: 0 })
  })

  test('leaves a database of that name alone that no demo has created', async () => {
    const { cwd, url } = await openPlace()
    await onServer('CREATE DATABASE credsync_demo')
    await expect(demoStorage({ cwd, env: { DATABASE_URL: url } }, windows)).rejects.toThrow(/is not marked/)
  })

  test('says what an administrator can do if the role may not create a database', async () => {
    const { cwd, url } = await openPlace()
    await onServer("CREATE ROLE demo_without_rights LOGIN PASSWORD 'x'")
    onTestFinished(() => onServer('DROP ROLE demo_without_rights'))
    const address = Object.assign(new URL(url), { username: 'demo_without_rights', password: 'x' }).href
    const open = () => demoStorage({ cwd, env: { DATABASE_URL: address } }, windows)
    const refusal = await open().then(
      () => '',
      (error: Error) => error.message,
    )
    const [statements = ''] = /CREATE DATABASE .*/.exec(refusal) ?? []
    for (const statement of statements.replace('the_role', 'demo_without_rights').split('; ')) await onServer(statement)
    onTestFinished(() => onServer('DROP DATABASE IF EXISTS credsync_demo WITH (FORCE)'))
    expect(new URL((await open()).databaseUrl?.reveal() ?? '').pathname).toBe('/credsync_demo')
  })
})
