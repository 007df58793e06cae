// A pooler that gives the statements of a connection to whichever session is free is noticed before anything is done
// through it. The pooler here is one of a few lines, over real sessions of the server.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '#src/ledger/migrate.ts'
import { type Database, openDatabase, type Session } from '#src/platform/database/database.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'

/** Which of the free sessions gets the next statement. */
type Turn = 'the one used last' | 'in turn' | 'its own'

/** A database behind a pooler with so many sessions. */
async function behindPooler(direct: Database, sessionCount: number, turn: Turn) {
  const sessions = await Promise.all(Array.from({ length: sessionCount }, () => direct.session()))
  const queries: string[] = []
  let connections = 0
  let statements = 0
  const session = async (): Promise<Session> => {
    const own = connections++
    return {
      process: -1,
      lost: new Promise(() => {}),
      query(text, values) {
        queries.push(text)
        const next = { 'the one used last': 0, 'in turn': statements++, 'its own': own }[turn]
        return (sessions[next % sessionCount] as Session).query(text, values)
      },
      release: async () => {},
    }
  }
  const release = () => Promise.all(sessions.map((each) => each.release()))
  return { database: { ...direct, session }, queries, [Symbol.asyncDispose]: async () => void (await release()) }
}

describeWithDatabase('a ledger behind a pooler', () => {
  test.each<[string, number, Turn]>([
    ['one session', 1, 'the one used last'],
    ['the session that was used last', 3, 'the one used last'],
    ['two sessions in turn', 2, 'in turn'],
    ['three sessions in turn', 3, 'in turn'],
    ['many sessions in turn', 8, 'in turn'],
  ])('in transaction mode, with %s, is refused before any lock or change', async (_, sessionCount, turn) => {
    await using created = await testDatabase()
    await using direct = openDatabase(created.url)
    await using pooled = await behindPooler(direct, sessionCount, turn)
    await expect(migrate(pooled.database, randomBytes(32))).rejects.toMatchObject({
      name: 'DatabaseRefusedError',
      message: expect.stringMatching(/pooler such as PgBouncer.*transaction.*directly.*session mode/),
    })
    expect(new Set(pooled.queries)).toEqual(new Set(['SELECT pg_backend_pid() AS process']))
  })

  test('in session mode is opened', async () => {
    await using created = await testDatabase()
    await using direct = openDatabase(created.url)
    await using pooled = await behindPooler(direct, 4, 'its own')
    expect(await migrate(pooled.database, randomBytes(32))).toEqual([])
  })

  test('and without one, is opened on one connection', async () => {
    await using created = await testDatabase()
    await using direct = openDatabase(created.url, { connections: 1 })
    expect(await migrate(direct, randomBytes(32))).toEqual([])
  })
})
