// Between "nobody else is here" and the stop of the server nobody slips in.

import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { askServer } from '#src/database/embedded-connection.ts'
import { holdServer, isLastOne } from '#src/database/embedded-keeper.ts'
import { systemClock } from '#src/time/clock.ts'
import { makeDirectory, type TestDirectory } from '#test/support/embedded-directory.ts'

async function connect(directory: TestDirectory, url: string): Promise<pg.Client> {
  const { port, password } = new URL(url)
  const answer = await askServer({ port: Number(port), password, pgData: join(directory.dataDir, 'postgres') })
  if (answer.kind !== 'ours') throw new Error(`no connection: ${answer.kind}`)
  onTestFinished(() => answer.client.end())
  return answer.client
}

/** A server that nobody holds: the one that opened it has left, because of a connection that then left too. */
async function makeUnheldServer(directory: TestDirectory): Promise<pg.Client> {
  const database = await directory.open()
  const first = await connect(directory, database.url)
  expect(await database.release()).toBe('left running for others')
  return first
}

test('who comes while another is about to stop the server waits until that is decided', async () => {
  const directory = await makeDirectory()
  const leaving = await makeUnheldServer(directory)
  await holdServer(leaving)
  expect(await isLastOne(leaving, systemClock)).toBe(true)
  const url = `postgres://x:${encodeURIComponent(String(leaving.password))}@127.0.0.1:${leaving.port}/`
  const coming = await connect(directory, url)
  let entered = false
  const entering = holdServer(coming).then(() => {
    entered = true
  })
  const waiting = "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted"
  while ((await leaving.query(waiting)).rows[0].n === 0) expect(entered).toBe(false)
  await leaving.end()
  await entering
  expect(entered).toBe(true)
})

test('who holds the server keeps another from being the last one, at once', async () => {
  const directory = await makeDirectory()
  const leaving = await makeUnheldServer(directory)
  const url = `postgres://x:${encodeURIComponent(String(leaving.password))}@127.0.0.1:${leaving.port}/`
  const staying = await connect(directory, url)
  await holdServer(leaving)
  await holdServer(staying)
  const before = systemClock.monotonicMs()
  expect(await isLastOne(leaving, systemClock)).toBe(false)
  expect(systemClock.monotonicMs() - before).toBeLessThan(900)
})
