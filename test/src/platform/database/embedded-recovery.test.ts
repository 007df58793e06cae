// The embedded database after failures: a crashed machine, changed files, reused process ids and ports.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { EmbeddedPostgresError } from '#src/platform/database/embedded-error.ts'
import { isAlive } from '#src/platform/database/embedded-lock-file.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { ask, makeDirectory, serverPid } from '#test/support/embedded-directory.ts'

test('a lock file left by a killed server does not matter, and committed rows are kept', async () => {
  const directory = await makeDirectory()
  const pgData = join(directory.dataDir, 'postgres')
  const first = await directory.open()
  await ask(first.url, 'create table kept as select 7 as n')
  const pid = (await serverPid(pgData)) ?? 0
  process.kill(pid, 'SIGKILL')
  while (await isAlive(pid)) await systemClock.sleep(5)
  expect(await serverPid(pgData)).toBe(pid)
  const second = await directory.open()
  expect(await serverPid(pgData)).not.toBe(pid)
  expect(await ask(second.url, 'select n from kept')).toBe(7)
  expect(await second.release()).toBe('stopped')
  expect(await first.release()).toBe('stopped')
})

test('a lock file whose pid has been reused by another program does not matter', async () => {
  const directory = await makeDirectory()
  const pgData = join(directory.dataDir, 'postgres')
  const first = await directory.open()
  const lockFile = await readFile(join(pgData, 'postmaster.pid'), 'utf8')
  await first.release()
  const { uid, gid } = await stat(pgData)
  // A process of the server's own account, because those of other accounts are ignored anyway.
  const bystander = spawn('sleep', ['600'], process.geteuid?.() === 0 ? { uid, gid } : {})
  onTestFinished(() => void bystander.kill())
  await once(bystander, 'spawn')
  await writeFile(join(pgData, 'postmaster.pid'), lockFile.replace(/^\d+/, String(bystander.pid)))
  const second = await directory.open()
  expect(await ask(second.url, 'select 1')).toBe(1)
  expect(await second.release()).toBe('stopped')
})

test('if another process uses its old port, the server gets a new one', async () => {
  const directory = await makeDirectory()
  const first = await directory.open()
  const port = Number(new URL(first.url).port)
  await first.release()
  const stranger = createServer((socket) => socket.end('hello\n')).listen(port, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  const pidFile = join(directory.dataDir, 'postgres', 'postmaster.pid')
  // A live process that is not the server, with the other process's port.
  await writeFile(pidFile, `${process.pid}\n${directory.dataDir}/postgres\n1\n${port}\n\n127.0.0.1\n\nready\n`)
  const second = await directory.open()
  expect(Number(new URL(second.url).port)).not.toBe(port)
  expect(await second.release()).toBe('stopped')
})

test('data from another major version is refused, with both versions named', async () => {
  const directory = await makeDirectory()
  const pgData = join(directory.dataDir, 'postgres')
  await (await directory.open()).release()
  await writeFile(join(pgData, 'PG_VERSION'), '15\n')
  await expect(directory.open()).rejects.toThrow(
    /data is from PostgreSQL 15, the programs are PostgreSQL 18.*DATABASE_URL/s,
  )
})

test('a directory with other content is left unchanged', async () => {
  const directory = await makeDirectory()
  const pgData = join(directory.dataDir, 'postgres')
  await (await directory.open()).release()
  await rm(join(pgData, 'PG_VERSION'))
  await expect(directory.open()).rejects.toThrow('not a PostgreSQL data directory')
  expect((await stat(join(pgData, 'base'))).isDirectory()).toBe(true)
})

test('a server that cannot start is an error with the end of its log, and without the password', async () => {
  const directory = await makeDirectory()
  const pgData = join(directory.dataDir, 'postgres')
  await (await directory.open()).release()
  await writeFile(join(pgData, 'postgresql.conf'), 'shared_buffers = nonsense\n')
  const error = await directory.open().catch((caught) => caught)
  expect(error).toBeInstanceOf(EmbeddedPostgresError)
  expect(error.where).toBe(join(pgData, 'server.log'))
  expect(error.lastLines.join('\n')).toContain('shared_buffers')
  const password = (await readFile(join(pgData, 'credsync-password'), 'utf8')).trim()
  expect(`${error.message}${error.stack}`).not.toContain(password)
})

test('leftovers of a killed initdb are removed once they are old, and never used as a database', async () => {
  const directory = await makeDirectory()
  const left = join(directory.dataDir, 'postgres-new-00')
  await mkdir(join(left, 'data'), { recursive: true })
  await utimes(left, 1, 1)
  await (await directory.open()).release()
  await expect(stat(left)).rejects.toThrow('ENOENT')
})
