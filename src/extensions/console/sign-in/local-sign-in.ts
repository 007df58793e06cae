// Signs in a local user by name and password, and signs people out.

import { consoleCookie, makeToken, sessionHash } from '#src/extensions/console/security/session-cookie.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { isPassword } from '../security/password-hash.ts'
import { type Answer, type Console, note, type OpenVisit, type Visit } from '../visit.ts'
import { placeAfter, signInForm } from './sign-in-page.ts'

/** The same for a wrong password and for an unknown name, so that names cannot be tried out. */
const refusal = 'The name or the password is wrong.'

export async function signInLocally(console: Console, { form, from }: OpenVisit): Promise<Answer> {
  if (!console.settings.auth.local) return { kind: 'missing' }
  const { ledger, clock } = console.parts
  const to = placeAfter(form.get('to'))
  const name = (form.get('name') ?? '').trim().slice(0, 100)
  const proof = await provePassword(console, { name, password: form.get('password') ?? '', from })
  if (proof.hash === null) {
    const { fault, wait } = proof
    if (wait > 0) return { ...signInForm(console, { fault, name, to }, 429), wait } as Answer
    return signInForm(console, { fault, name, to }, 403)
  }
  const cookie = await beginSession(console, name, { password: proof.hash })
  if (cookie === null) return signInForm(console, { fault: refusal, name, to }, 403)
  await ledger.consoleActs.note({ by: name, act: 'signed in' }, clock.now())
  return { kind: 'redirect', to, cookie }
}

type Proof = { hash: string } | { hash: null; fault: string; wait: number }

/**
 * Compares a password, within the limits of tries.
 * @returns its hash; or why not and, after too many tries, in how many seconds it may be tried again
 */
export async function provePassword(
  console: Console,
  { name, password, from }: { name: string; password: string; from: string },
): Promise<Proof> {
  const { ledger, clock, log } = console.parts
  const tried = { name: name.toLowerCase(), address: from }
  const triedMs = clock.now().getTime()
  const waitMs = console.limits.waitMs(tried, triedMs)
  if (waitMs > 0)
    return {
      hash: null,
      fault: `Too many attempts. Try again in ${countOf(Math.ceil(waitMs / 60_000), 'minute')}.`,
      wait: Math.ceil(waitMs / 1_000),
    }
  // Noted before the result is known, so that many tries at the same time do not all get through.
  console.limits.noteFailure(tried, triedMs)
  const hash = await console.lookUp(() => ledger.consolePeople.passwordOf(name))
  // Compared even if there is none, which takes as long.
  if ((await isPassword(password, hash)) && hash !== null) {
    console.limits.noteSuccess(tried, triedMs)
    return { hash }
  }
  log.event('console.refused', { reason: 'password' })
  return { hash: null, fault: refusal, wait: 0 }
}

/** @returns the cookie of the new session; null if the password has changed since */
export async function beginSession(
  console: Console,
  name: string,
  proof: Parameters<Console['parts']['ledger']['consoleSessions']['begin']>[2],
): Promise<string | null> {
  const { ledger, clock } = console.parts
  const token = makeToken()
  const hash = sessionHash(console.settings, token.text)
  const hasBegun = await ledger.consoleSessions.begin(hash, name, proof, clock.now())
  return hasBegun ? cookieOf(console).set(token.text) : null
}

/** Consoles of several environments may share a host name, and cookies do not tell ports apart. */
export const cookieOf = ({ address, parts }: Pick<Console, 'address' | 'parts'>) =>
  consoleCookie(address, parts.ledger.environment)

export async function signOut(console: Console, { session, visitor }: Visit): Promise<Answer> {
  if (session) await console.parts.ledger.consoleSessions.end(session)
  await note(console, { visitor }, 'signed out')
  return { kind: 'redirect', to: '/sign-in', cookie: cookieOf(console).clear() }
}
