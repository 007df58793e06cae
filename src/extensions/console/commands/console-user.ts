// credsync console user add, list and remove, and console sign-out: manages the local users of the console, and ends
// sessions.

import { appFor, type Cli, print, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { type ConsolePerson, consoleRoles } from '#src/extensions/console/ledger/local-users.ts'
import { minuteOf } from '#src/platform/time/duration.ts'

export interface AddUserOptions {
  config?: string
  role: string
  pipelines?: string
  by?: string
  json?: boolean
}

export async function addUserCommand(cli: Cli, name: string, options: AddUserOptions): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  const role = consoleRoles.find((each) => each === options.role)
  if (!role) throw new UsageError(`${options.role} is not a role. Use ${consoleRoles.join(', ')}.`)
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,99}$/u.test(name))
    throw new UsageError('A name has up to 100 letters, digits, spaces, dots, hyphens, underscores or @ signs.')
  const known = Object.keys(settings.file.pipelines)
  const pipelines = options.pipelines?.split(',').map((each) => each.trim()) ?? null
  const unknown = pipelines?.filter((each) => !known.includes(each)) ?? []
  if (unknown.length > 0)
    throw new UsageError(`The configuration has no pipeline ${unknown.join(', ')}. It has: ${known.join(', ')}.`)
  if (role === 'registrar' && !pipelines)
    throw new UsageError(`A registrar sees only its own pipelines. Name them: --pipelines ${known.join(',')}`)
  if (role === 'operator' && pipelines)
    throw new UsageError('An operator sees all pipelines. Leave --pipelines out, or use another role.')
  const { console: consoleSettings } = settings.file
  if (!consoleSettings)
    say(cli, 'The configuration has no `console` yet, so nobody can open the link. Add it first (docs/console.md).')
  else if (!consoleSettings.auth.local)
    throw new UsageError('`console.auth.local` is false, so local users cannot sign in. Remove it first.')
  await using app = await appFor(cli, settings)
  const { invitePerson } = await import('#src/extensions/console/sign-in/invite-person.ts')
  const path = await invitePerson(app, { name, role, pipelines }, operatorDecision(cli, options).by)
  const { ownAddress } = await import('#src/extensions/console/security/own-address.ts')
  const link = ownAddress(consoleSettings?.url, consoleSettings?.port ?? 8081).link(path)
  if (options.json) printJson(cli, { name, role, pipelines, link })
  else {
    say(cli, `${name} sets a password at this address, once, within an hour:`)
    print(cli, link)
  }
  return exitCode.ok
}

export async function listUsersCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const people = await app.ledger.consolePeople.list()
  const now = cli.clock.now()
  if (options.json) printJson(cli, { people })
  else if (people.length === 0) print(cli, 'No local user may sign in. `credsync console user add` adds one.')
  else for (const person of people) print(cli, personLine(person, now))
  return exitCode.ok
}

function personLine(
  { name, role, pipelines, hasPassword, linkEndsAt, addedAt, addedBy }: ConsolePerson,
  now: Date,
): string {
  const sees = pipelines ? `, ${pipelines.join(', ')}` : ''
  const link = linkEndsAt && linkEndsAt > now ? `has a link until ${minuteOf(linkEndsAt)} UTC` : 'needs a new link'
  return `${name}  ${role}${sees}; ${hasPassword ? 'has a password' : link}; added by ${addedBy} at ${minuteOf(addedAt)} UTC`
}

export async function removeUserCommand(cli: Cli, name: string, options: { config?: string }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  if (!(await app.ledger.consolePeople.remove(name)))
    throw new UsageError(`${name} is not a local user of the console. \`credsync console user list\` shows them.`)
  await app.ledger.consoleActs.note(
    { by: operatorDecision(cli, {}).by, act: 'removed a local user', detail: name },
    cli.clock.now(),
  )
  say(cli, `${name} can no longer sign in, and every session of ${name} has ended.`)
  return exitCode.ok
}

/** Ends all sessions of a person, however the person signed in. */
export async function signOutCommand(
  cli: Cli,
  name: string,
  options: { config?: string; by?: string },
): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const ended = await app.ledger.consoleSessions.endAll(name)
  if (ended === 0)
    throw new UsageError(`${name} is not signed in. The log of the console has the names of those who have signed in.`)
  const { by } = operatorDecision(cli, options)
  await app.ledger.consoleActs.note({ by, act: 'ended the sessions of a person', detail: name }, cli.clock.now())
  say(cli, `${ended} ${ended === 1 ? 'session' : 'sessions'} of ${name} ended.`)
  return exitCode.ok
}
