// A database server that may lose committed data is refused in production, unless the configuration explicitly accepts
// it.

import { expect, onTestFinished, test } from 'vitest'
import type { FileSettings } from '#config/schema.ts'
import { ensureDurable } from '#src/check/check-durability.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, serverUrl } from '#test/support/database.ts'

type Environment = FileSettings['service']['environment']
type SettingName = FileSettings['database']['offOnPurpose'][number]

/**
 * Returns what is reported for a server with these settings off. They are overridden in one session by a view, because
 * not every server allows changes.
 */
async function warningsOf(
  off: readonly SettingName[],
  environment: Environment,
  offOnPurpose: SettingName[] = [],
): Promise<string[]> {
  const database = openDatabase(serverUrl())
  onTestFinished(() => database.close())
  const session = await database.session()
  const settingRows = ['fsync', 'full_page_writes', 'synchronous_commit'].map(
    (name) => `('${name}', '${off.some((each) => each === name) ? 'off' : 'on'}')`,
  )
  await session.query(
    `CREATE TEMP VIEW pg_settings AS SELECT * FROM (VALUES ${settingRows.join(', ')}) AS s(name, setting)`,
  )
  const file = { service: { environment }, database: { offOnPurpose } } as FileSettings
  return await ensureDurable(session, file).finally(async () => {
    await session.query('DROP VIEW pg_temp.pg_settings')
    await session.release()
  })
}

describeWithDatabase('a database', () => {
  test.each(['fsync', 'full_page_writes'] as const)('with %s off is refused in production', async (name) => {
    await expect(warningsOf([name], 'production')).rejects.toMatchObject({
      name: 'NotDurableError',
      message: expect.stringMatching(new RegExp(`${name} is off: .*Set ${name} = on in PostgreSQL.*offOnPurpose`)),
    })
  })

  test('is accepted if the configuration lists what is off, or if everything is on', async () => {
    expect(await warningsOf(['full_page_writes'], 'production', ['full_page_writes'])).toEqual([])
    expect(await warningsOf([], 'production')).toEqual([])
  })

  test('with synchronous_commit off, or in development, is accepted with a warning', async () => {
    const warning = [expect.stringContaining('synchronous_commit is off')]
    expect(await warningsOf(['synchronous_commit'], 'production')).toEqual(warning)
    expect(await warningsOf(['fsync'], 'development')).toEqual([expect.stringContaining('fsync is off')])
  })
})
