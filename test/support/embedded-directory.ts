// Temporary directories for an embedded database. The server and the directory are removed after each test.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { findPackagedBinaries } from '#src/platform/database/embedded-binaries.ts'
import { canEnter, type RunAs } from '#src/platform/database/embedded-command.ts'
import { readPostmaster } from '#src/platform/database/embedded-lock-file.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { stopServer } from '#src/platform/database/embedded-server.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface TestDirectory {
  root: string
  dataDir: string
  systemDir: string
  notices: string[]
  open(): Promise<EmbeddedPostgres>
}

/** Makes a new directory that every user may enter; its `dataDir` has `mode`. */
export async function makeDirectory(mode = 0o755): Promise<TestDirectory> {
  const root = await mkdtemp(join(tmpdir(), 'credsync-embedded-'))
  await chmod(root, 0o755)
  const dataDir = join(root, 'closed', 'data')
  const systemDir = join(root, 'system')
  await mkdir(dataDir, { recursive: true })
  await chmod(join(root, 'closed'), mode)
  await chmod(dataDir, 0o755)
  const notices: string[] = []
  onTestFinished(async () => {
    await stopAll(root)
    await rm(root, { recursive: true, force: true })
  })
  const open = () =>
    openEmbeddedPostgres({ dataDir, systemDir, clock: systemClock, onNotice: (text) => notices.push(text) })
  return { root, dataDir, systemDir, notices, open }
}

async function stopAll(root: string): Promise<void> {
  const { native } = await findPackagedBinaries()
  for (const entry of await readdir(root, { recursive: true })) {
    if (!entry.endsWith('/postmaster.pid')) continue
    const pgData = join(root, entry, '..')
    const { uid, gid } = await stat(pgData)
    const runAs = process.geteuid?.() === 0 ? { uid, gid } : null
    await stopServer({ pgData, bin: join(native, 'bin'), runAs, password: '', clock: systemClock })
  }
}

/** Runs a query. Returns the first column of the first row. */
export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

/** Returns the process id of the server that has this data directory open. */
export async function serverPid(pgData: string): Promise<number | undefined> {
  return (await readPostmaster(pgData))?.pid
}

/** Starts the child script on that directory and waits until its database is open. */
export async function openInChild(directory: TestDirectory, runAs: RunAs = null) {
  const script = join(import.meta.dirname, 'embedded-child.ts')
  const child = spawn(process.execPath, [script, directory.dataDir, directory.systemDir], {
    ...(runAs ?? {}),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? '{}') as { url?: string; released?: string }
  const { url } = await next()
  if (url === undefined) throw new Error('the child could not open the database')
  const killHard = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const release = async () => {
    child.stdin.end()
    return (await next()).released
  }
  return { url, killHard, release }
}

/** Returns the account `nobody` if it can run this Node and read this checkout; otherwise null. */
export async function findOrdinaryUser(): Promise<RunAs> {
  const passwd = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? []
  if (uid === undefined || gid === undefined) return null
  const nobody = { uid: Number(uid), gid: Number(gid) }
  const reachable =
    (await canEnter(import.meta.dirname, nobody)) && (await canEnter(join(process.execPath, '..'), nobody))
  return reachable ? nobody : null
}
