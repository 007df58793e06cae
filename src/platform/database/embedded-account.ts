// Chooses the account that the embedded PostgreSQL runs as. PostgreSQL refuses to run as root, so under root another
// account must be found or created.

import { readFile } from 'node:fs/promises'
import { type CommandResult, lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, ownDatabaseHint } from './embedded-error.ts'

const passwdPath = '/etc/passwd'
const accountName = 'credsync'

/** Returns whether this process runs as root, in which case PostgreSQL needs another account. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * Finds the account called `name` in the text of a passwd file, or returns null. An account with root's id is never
 * returned, whatever its name.
 */
export function findAccount(passwd: string, name: string): RunAs {
  for (const line of passwd.split('\n')) {
    const fields = line.split(':')
    if (fields[0] !== name) continue
    const uid = Number.parseInt(fields[2] ?? '', 10)
    const gid = Number.parseInt(fields[3] ?? '', 10)
    if (uid > 0 && gid >= 0) return { uid, gid }
  }
  return null
}

/**
 * Returns the account for a new database: null (that of this process) unless this process runs as root. Under root, it
 * is `postgres`, or else `credsync`, which is created if missing.
 * @throws EmbeddedPostgresError if none can be created
 */
export async function chooseAccount(onNotice: (text: string) => void): Promise<RunAs> {
  if (!isRoot()) return null
  const passwd = await readFile(passwdPath, 'utf8').catch(() => '')
  return findAccount(passwd, 'postgres') ?? findAccount(passwd, accountName) ?? (await createAccount(onNotice))
}

async function createAccount(onNotice: (text: string) => void): Promise<RunAs> {
  // useradd comes with shadow; the short options are BusyBox's adduser, the long ones Debian's.
  const commands: [string, string[]][] = [
    [
      'useradd',
      [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/bin/false',
        accountName,
      ],
    ],
    ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false', accountName]],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', '/nonexistent', accountName]],
  ]
  let lastResult: CommandResult = { code: null, output: '' }
  for (const [program, args] of commands) {
    lastResult = await runCommand(program, args, null)
    // Checks the file instead of the exit code, because another process may have created the same account in the
    // meantime.
    const account = findAccount(await readFile(passwdPath, 'utf8').catch(() => ''), accountName)
    if (account === null) continue
    onNotice(`PostgreSQL refuses to run as root: it runs as the system user ${accountName}, which was created for it.`)
    return account
  }
  throw new EmbeddedPostgresError({
    what: 'PostgreSQL refuses to run as root, and no other account for it could be found or created',
    where: passwdPath,
    next: `run credsync as an ordinary user, or create a system user called ${accountName}, or ${ownDatabaseHint}`,
    lastLines: lastLines(lastResult.output),
  })
}
