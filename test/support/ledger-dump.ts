// Dumps and restores a ledger with the commands of docs/upkeep.md.

import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/upkeep.md'), 'utf8')
const fromPage = (pattern: RegExp): string => {
  const [found] = pattern.exec(page) ?? []
  if (!found) throw new Error(`docs/upkeep.md has no ${pattern}.`)
  return found
}

export interface LedgerDump {
  /** Sets the damaged ledger aside and restores the dump in the same database. */
  restore(): Promise<void>
}

/**
 * Makes a dump in `folder`, for which the worker need not stop.
 * @returns null if no pg_dump is installed that can read the server
 */
export async function dumpLedger(databaseUrl: string, folder: string): Promise<LedgerDump | null> {
  const programs = await programsFor(databaseUrl)
  if (programs === null) return null
  const { hostname, port, pathname, username, password } = new URL(databaseUrl)
  const [dbname, user] = [pathname.slice(1), decodeURIComponent(username)]
  const [serviceFile, passwordFile] = [join(folder, 'pg_service.conf'), join(folder, 'pgpass')]
  await writeFile(serviceFile, `[credsync]\nhost=${hostname}\nport=${port}\ndbname=${dbname}\nuser=${user}\n`)
  await writeFile(passwordFile, `*:*:*:*:${decodeURIComponent(password)}\n`)
  await chmod(passwordFile, 0o600)
  const env = { PATH: `${programs}:${process.env.PATH}`, PGSERVICEFILE: serviceFile, PGPASSFILE: passwordFile }
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' })
  run(fromPage(/pg_dump service=credsync .+/))
  return {
    async restore() {
      await query(databaseUrl, fromPage(/ALTER SCHEMA credsync RENAME TO \w+/))
      run(fromPage(/pg_restore .+service=credsync.+/))
    },
  }
}

/** Returns the folder of a pg_dump that is at least as new as the server. */
async function programsFor(databaseUrl: string): Promise<string | null> {
  const [{ server_version: version }] = (await query(databaseUrl, 'SHOW server_version')) as [
    { server_version: string },
  ]
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env.PATH ?? '').split(':')]
  const majorOf = (folder: string) =>
    Number.parseInt(
      /\d+/.exec(execFileSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' }))?.[0] ?? '',
      10,
    )
  return (
    folders.find((folder) => existsSync(join(folder, 'pg_dump')) && majorOf(folder) >= Number.parseInt(version, 10)) ??
    null
  )
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
