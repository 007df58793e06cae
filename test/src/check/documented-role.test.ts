// The role with the least rights, as docs/deployment.md creates it, is enough for the ledger and the queues.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkDatabase } from '#src/check/check-database.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, onServer, serverUrl } from '#test/support/database.ts'
import { prepareLedger } from '#test/support/prepare-ledger.ts'

const page = await readFile(new URL('../../../docs/deployment.md', import.meta.url), 'utf8')

/** Creates the role and its database with unique names. */
async function createdAsDocumented() {
  const name = `least_${crypto.randomUUID().replaceAll('-', '')}`
  const [, lines = ''] = /\*\*With the least rights\*\*[\s\S]*?\n\n((?: {4}.*\n)+)/.exec(page) ?? []
  const sql = lines
    .replaceAll(/(ROLE|DATABASE|TO|AUTHORIZATION|\\c) credsync\b/g, `$1 ${name}`)
    .replace('…', name)
    .replace('production', 'development')
  const [onTheServer = '', inTheDatabase = ''] = sql.split(/^.*\\c .*$/m)
  const inside = Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href
  for (const statement of onTheServer.split(';')) await onServer(statement)
  await onServer(inTheDatabase, inside)
  const url = Object.assign(new URL(inside), { username: name, password: name }).href
  const drop = async () => {
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
    await onServer(`DROP ROLE ${name}`)
  }
  return { name, url, inside, [Symbol.asyncDispose]: drop }
}

async function faultsOf(url: string): Promise<string[]> {
  await using database = openDatabase(url)
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {} })
  const parts = { database, storageKind: 'PostgreSQL', settings: { file, redisUrl: null } }
  return (await checkDatabase(parts as unknown as Parts)).flatMap(({ ok, what, remedy }) =>
    ok ? [] : [what, remedy ?? ''],
  )
}

describeWithDatabase('the documented role, which may create no schemas,', () => {
  test('creates the tables of the ledger and of the queues, opens them again, and has all its rights', async () => {
    await using role = await createdAsDocumented()
    await prepareLedger(role.url)
    await prepareLedger(role.url)
    expect(await faultsOf(role.url)).toEqual([])
  })

  test('is told whose tables it may not change', async () => {
    await using role = await createdAsDocumented()
    await prepareLedger(role.url)
    await onServer('ALTER TABLE credsync.run OWNER TO CURRENT_USER', role.inside)
    const administrator = new URL(role.inside).username
    expect(await faultsOf(role.url)).toEqual([
      `the account ${role.name} may not change tables in the schema credsync, which belong to ${administrator}`,
      expect.stringContaining('docs/deployment.md'),
    ])
  })
})
