// A separate PostgreSQL server for a test, which can be stopped abruptly and restarted at the same address.

import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { lastLines, runCommand } from '#src/platform/database/embedded-command.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface OwnPostgres extends AsyncDisposable {
  /** URL of an ordinary account that may create databases: connection limits do not apply to a superuser. */
  url: string
  /** Runs one statement as the superuser, on a separate connection. */
  command(text: string, values?: unknown[]): Promise<void>
  /** The same in another database of the server. */
  commandIn(database: string, text: string): Promise<void>
  /** `pg_ctl stop -m immediate`: every backend is killed, and the next start recovers from the log. */
  stopImmediately(): Promise<void>
  /** Starts it again on the same port. */
  startAgain(): Promise<void>
}

export async function openOwnPostgres(): Promise<OwnPostgres> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'credsync-stores-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root, the server runs under another account, which needs access.
  await chmod(dataDir, 0o755)
  const systemDir = join(dataDir, 'system')
  const embedded = await openEmbeddedPostgres({ dataDir, systemDir, clock: systemClock })
  stack.defer(async () => void (await embedded.release()))
  const command = (text: string, values: unknown[] = []) => commandOn(embedded.url, text, values)
  await command(`CREATE ROLE tester LOGIN CREATEDB PASSWORD 'tester'`)
  const url = new URL(embedded.url)
  url.username = 'tester'
  url.password = 'tester'
  url.pathname = '/postgres'
  const control = await findControl(join(dataDir, 'postgres'))
  // About six worlds with two apps each run at the same time; the default of 100 connections is too low.
  await command('ALTER SYSTEM SET max_connections = 400')
  await control('stop', '-m', 'fast', '-w')
  const startAgain = () => control('start', '-w', '-l', join(dataDir, 'postgres', 'server.log'))
  await startAgain()
  const closing = stack.move()
  return {
    url: url.href,
    command,
    commandIn: (database, text) =>
      commandOn(Object.assign(new URL(embedded.url), { pathname: `/${database}` }).href, text, []),
    stopImmediately: () => control('stop', '-m', 'immediate', '-w'),
    startAgain,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function commandOn(url: string, text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** pg_ctl of the running server; the server's postmaster.opts gives program, port and settings. */
async function findControl(pgData: string): Promise<(verb: string, ...args: string[]) => Promise<void>> {
  const { uid, gid } = await stat(pgData)
  const runAs = process.geteuid?.() === 0 ? { uid, gid } : null
  const [program = '', ...options] = (await readFile(join(pgData, 'postmaster.opts'), 'utf8')).trim().split(' "')
  const settings = options
    .map((option) => option.replace(/"$/, ''))
    .filter((option) => option !== '-D' && option !== pgData)
    .map((option) => `"${option}"`)
    .join(' ')
  return async (verb, ...args) => {
    const given = verb === 'start' ? ['-o', settings] : []
    const ended = await runCommand(join(dirname(program), 'pg_ctl'), [verb, '-D', pgData, ...args, ...given], runAs)
    if (ended.code !== 0)
      throw new Error(`pg_ctl ${verb} ended with ${ended.code}: ${lastLines(ended.output).join(' ')}`)
  }
}
