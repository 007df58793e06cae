// The embedded database as its users see it: opening, sharing and releasing it, and killed processes.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isAlive } from '#src/platform/database/embedded-lock-file.ts'
import { logPath } from '#src/platform/database/embedded-server.ts'
import { ask, makeDirectory, openInChild, serverPid } from '#test/support/embedded-directory.ts'

test('the server opens, answers and has the required settings', async () => {
  const directory = await makeDirectory()
  const database = await directory.open()
  expect(await ask(database.url, 'select 1')).toBe(1)
  expect(new URL(database.url).pathname).toBe('/credsync')
  const settings = "select string_agg(name || '=' || setting, ' ' order by lower(name)) from pg_settings where name in"
  expect(
    await ask(
      database.url,
      `${settings} ('listen_addresses','unix_socket_directories','TimeZone','fsync','password_encryption')`,
    ),
  ).toBe('fsync=on listen_addresses=127.0.0.1 password_encryption=scram-sha-256 TimeZone=UTC unix_socket_directories=')
  const locale = 'select datlocprovider::text || datlocale || pg_encoding_to_char(encoding) from pg_database'
  expect(await ask(database.url, `${locale} where datname = current_database()`)).toBe('bC.UTF-8UTF8')
  expect((await stat(join(directory.dataDir, 'postgres', 'credsync-password'))).mode & 0o777).toBe(0o600)
  expect(await database.release()).toBe('stopped')
})

test('a second open uses the same server, and only the last release stops it', async () => {
  const directory = await makeDirectory()
  const first = await directory.open()
  const pid = await serverPid(join(directory.dataDir, 'postgres'))
  const second = await directory.open()
  expect(second.url).toBe(first.url)
  expect(await serverPid(join(directory.dataDir, 'postgres'))).toBe(pid)
  expect(await first.release()).toBe('left running for others')
  expect(await ask(second.url, 'select 1')).toBe(1)
  expect(await second.release()).toBe('stopped')
  expect(await second.release()).toBe('stopped')
  expect(await isAlive(pid ?? 0)).toBe(false)
  await expect(ask(second.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('another client’s connection keeps the server running after the release', async () => {
  const directory = await makeDirectory()
  const database = await directory.open()
  const other = new pg.Client(database.url)
  await other.connect()
  expect(await database.release()).toBe('left running for others')
  expect((await other.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  await other.end()
  expect(await (await directory.open()).release()).toBe('stopped')
})

test('after a process was killed, the next open finds its server running', async () => {
  const directory = await makeDirectory()
  const child = await openInChild(directory)
  await ask(child.url, 'create table kept (n int)')
  const pid = await serverPid(join(directory.dataDir, 'postgres'))
  await child.killHard()
  const database = await directory.open()
  expect(await serverPid(join(directory.dataDir, 'postgres'))).toBe(pid)
  expect(await ask(database.url, 'select count(*)::int from kept')).toBe(0)
  // The server takes a while to notice that the killed process's connections are closed, long on a busy machine.
  const clients = () =>
    ask(database.url, `select count(*)::int from pg_stat_activity where backend_type = 'client backend'`)
  await expect.poll(clients, { timeout: 240_000 }).toBeLessThanOrEqual(2)
  expect(await database.release()).toBe('stopped')
})

test('another process that has the database open keeps the server running, and stops it if it is the last', async () => {
  const directory = await makeDirectory()
  const database = await directory.open()
  const child = await openInChild(directory)
  expect(child.url).toBe(database.url)
  expect(await database.release()).toBe('left running for others')
  expect(await child.release()).toBe('stopped')
})

test('concurrent opens without an existing database all get the same server', async () => {
  const directory = await makeDirectory()
  const [child, ...opened] = await Promise.all([openInChild(directory), directory.open(), directory.open()])
  expect(new Set([child.url, ...opened.map((each) => each.url)]).size).toBe(1)
  expect(directory.notices.length).toBeLessThanOrEqual(1)
  expect(await child.release()).toBe('left running for others')
  const released = await Promise.all(opened.map((each) => each.release()))
  expect(released).toContain('stopped')
})

test('an open during a release never returns a server that is about to stop', async () => {
  const directory = await makeDirectory()
  let holder = await directory.open()
  for (let round = 0; round < 8; round++) {
    const [, next] = await Promise.all([holder.release(), directory.open()])
    expect(await ask(next.url, 'select 1')).toBe(1)
    holder = next
  }
  expect(await holder.release()).toBe('stopped')
})

test('the log contains no value of a failed statement', async () => {
  const directory = await makeDirectory()
  const database = await directory.open()
  await ask(database.url, 'create table people (mail text primary key)')
  const insert = "insert into people values ('ada@example.org')"
  await ask(database.url, insert)
  await expect(ask(database.url, insert)).rejects.toThrow('duplicate key')
  // Here the value is in the message itself, not in a detail or the statement.
  await expect(ask(database.url, 'select mail::int from people')).rejects.toThrow('ada@example.org')
  await database.release()
  const log = await readFile(logPath(join(directory.dataDir, 'postgres')), 'utf8')
  expect(log).toContain('ready to accept connections')
  expect(log).not.toContain('ada@example.org')
})
