// Which account PostgreSQL runs as. It refuses root, so under root another one has to be found or made.

import { readFile } from 'node:fs/promises'
import { type CommandResult, lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, useYourOwn } from './embedded-error.ts'

const passwdPath = '/etc/passwd'
const ownName = 'credsync'

/** True when this process is root, where PostgreSQL needs another account. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/** The account called `name` in the text of a passwd file, or null. Never root, whatever it is called there. */
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
 * The account for a database that does not exist yet: null (ourselves) unless we are root; then `postgres`, then
 * `credsync`, which is made when there is none. Rejects with EmbeddedPostgresError where none can be made.
 */
export async function chooseAccount(onNotice: (text: string) => void): Promise<RunAs> {
  if (!isRoot()) return null
  const passwd = await readFile(passwdPath, 'utf8').catch(() => '')
  return findAccount(passwd, 'postgres') ?? findAccount(passwd, ownName) ?? (await createAccount(onNotice))
}

async function createAccount(onNotice: (text: string) => void): Promise<RunAs> {
  // useradd is shadow's; the short options are BusyBox's adduser, the long ones Debian's.
  const ways: [string, string[]][] = [
    [
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false', ownName],
    ],
    ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false', ownName]],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', '/nonexistent', ownName]],
  ]
  let tried: CommandResult = { code: null, output: '' }
  for (const [program, args] of ways) {
    tried = await runCommand(program, args, null)
    // The file decides, not the exit code: another process may have made the same account a moment before.
    const made = findAccount(await readFile(passwdPath, 'utf8').catch(() => ''), ownName)
    if (made === null) continue
    onNotice(`PostgreSQL refuses to run as root: it runs as the system user ${ownName}, made for it.`)
    return made
  }
  throw new EmbeddedPostgresError({
    what: 'PostgreSQL refuses to run as root, and no other account for it could be found or made',
    where: passwdPath,
    next: `run credsync as an ordinary user, or create a system user called ${ownName}, or ${useYourOwn}`,
    lastLines: lastLines(tried.output),
  })
}
