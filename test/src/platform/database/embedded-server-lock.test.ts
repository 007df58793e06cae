// Between the check that no other process uses the server and the server's stop, no process can open the database.

import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { askServer } from '#src/platform/database/embedded-connection.ts'
import { holdServer, isLastClient } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { makeDirectory, type TestDirectory } from '#test/support/embedded-directory.ts'

async function connect(directory: TestDirectory, url: string): Promise<pg.Client> {
  const { port, password } = new URL(url)
  const answer = await askServer({ port: Number(port), password, pgData: join(directory.dataDir, 'postgres') })
  if (answer.kind !== 'ours') throw new Error(`no connection: ${answer.kind}`)
  onTestFinished(() => answer.client.end())
  return answer.client
}

/**
 * Returns a connection to a running server whose lock no process holds: the process that opened the server has released
 * the lock, but has left the server running because of this connection.
 */
async function makeUnheldServer(directory: TestDirectory): Promise<pg.Client> {
  const database = await directory.open()
  const first = await connect(directory, database.url)
  expect(await database.release()).toBe('left running for others')
  return first
}

test('a process that opens the server while another decides whether to stop it waits for the decision', async () => {
  const directory = await makeDirectory()
  const leavingClient = await makeUnheldServer(directory)
  await holdServer(leavingClient)
  expect(await isLastClient(leavingClient, systemClock)).toBe(true)
  const url = `postgres://x:${encodeURIComponent(String(leavingClient.password))}@127.0.0.1:${leavingClient.port}/`
  const openingClient = await connect(directory, url)
  let entered = false
  const entering = holdServer(openingClient).then(() => {
    entered = true
  })
  const waiting = "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted"
  while ((await leavingClient.query(waiting)).rows[0].n === 0) expect(entered).toBe(false)
  await leavingClient.end()
  await entering
  expect(entered).toBe(true)
})

test('a process does not stop the server if another process has it open, and does not wait for that process', async () => {
  const directory = await makeDirectory()
  const leavingClient = await makeUnheldServer(directory)
  const url = `postgres://x:${encodeURIComponent(String(leavingClient.password))}@127.0.0.1:${leavingClient.port}/`
  const stayingClient = await connect(directory, url)
  await holdServer(leavingClient)
  await holdServer(stayingClient)
  const waiting = () => Promise.reject(new Error('The process waited.'))
  expect(await isLastClient(leavingClient, { ...systemClock, sleep: waiting })).toBe(false)
})
