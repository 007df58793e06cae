// Adds a local user and makes the link by which the person sets a password.

import type { App } from '#src/app/app.ts'
import type { ConsoleGrant } from '#src/extensions/console/ledger/local-users.ts'
import { makeToken } from '#src/extensions/console/security/session-cookie.ts'
import { linkPath } from './password-link.ts'

/** Long enough to be sent and opened, and too short to be found later. */
const linkMs = 3_600_000

/** @returns the path of the link, without the address of the console */
export async function invitePerson(
  { ledger, clock }: Pick<App, 'ledger' | 'clock'>,
  person: ConsoleGrant & { name: string },
  by: string,
): Promise<string> {
  const now = clock.now()
  const { text, hash } = makeToken()
  const link = { hash, endsAt: new Date(now.getTime() + linkMs) }
  await ledger.consolePeople.add(person.name, person, link, by, now)
  await ledger.consoleActs.note({ by, act: 'added a local user', detail: `${person.name}, ${person.role}` }, now)
  return linkPath(text)
}
