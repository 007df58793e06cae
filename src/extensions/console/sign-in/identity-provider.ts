// Sign-in by OpenID Connect: the code flow with PKCE, state and nonce. What has to be remembered between the two
// requests is in a cookie of the person's browser, so that any worker can answer the second one. Calls the provider.

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import { discoverProvider } from '#src/platform/discover-provider.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { consoleCookie } from '../security/session-cookie.ts'
import type { Answer, Console, OpenVisit } from '../visit.ts'
import { beginSession } from './local-sign-in.ts'
import { grantOf } from './proxy-sign-in.ts'
import { placeAfter, signInForm } from './sign-in-page.ts'

type Provider = NonNullable<ConsoleSettings['auth']['oidc']>

export const callbackPath = '/sign-in/oidc/callback'

/** A person has this long to sign in at the provider. */
const rememberedS = 600

const rememberedSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() })
type Remembered = z.infer<typeof rememberedSchema>

/** What the provider says about itself: asked once, and again as long as it does not answer. */
const configurations = new WeakMap<Console, Promise<Configuration>>()

function configurationOf(console: Console, provider: Provider): Promise<Configuration> {
  const known = configurations.get(console)
  if (known) return known
  const asked = discoverProvider(provider)
  configurations.set(console, asked)
  asked.catch(() => configurations.delete(console))
  return asked
}

/** Leads to the provider. */
export async function beginAtProvider(console: Console, { query }: OpenVisit): Promise<Answer> {
  const { oidc } = console.settings.auth
  if (!oidc) return { kind: 'missing' }
  const remembered: Remembered = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    to: placeAfter(query.get('to')),
  }
  try {
    const address = buildAuthorizationUrl(await configurationOf(console, oidc), {
      redirect_uri: console.address.link(callbackPath),
      scope: [...new Set(['openid', ...oidc.scopes])].join(' '),
      state: remembered.state,
      nonce: remembered.nonce,
      code_challenge_method: 'S256',
      code_challenge: await calculatePKCECodeChallenge(remembered.verifier),
    })
    return { kind: 'leave', to: address.href, cookie: rememberCookie(console, remembered) }
  } catch (error) {
    return refused(console, error, remembered.to)
  }
}

/** Answers the request with which the provider sends the person back. */
export async function endAtProvider(console: Console, { query, cookies }: OpenVisit): Promise<Answer> {
  const { oidc } = console.settings.auth
  if (!oidc) return { kind: 'missing' }
  const remembered = recall(console, cookies)
  if (!remembered) return refused(console, null, '/')
  try {
    const tokens = await authorizationCodeGrant(
      await configurationOf(console, oidc),
      new URL(`${console.address.link(callbackPath)}?${query}`),
      {
        pkceCodeVerifier: remembered.verifier,
        expectedState: remembered.state,
        expectedNonce: remembered.nonce,
        idTokenExpected: true,
      },
    )
    return await admit(console, oidc, tokens.claims() ?? {}, placeAfter(remembered.to))
  } catch (error) {
    return refused(console, error, remembered.to)
  }
}

async function admit(
  console: Console,
  { nameClaim, groupsClaim, grants }: Provider,
  claims: Readonly<Record<string, unknown>>,
  to: string,
): Promise<Answer> {
  const { ledger, clock } = console.parts
  const subject = String(claims.sub)
  const groups = [claims[groupsClaim]].flat().filter((each) => typeof each === 'string')
  const grant = grantOf(grants, groups)
  const called = claims[nameClaim]
  // The subject is what the provider never gives to somebody else; the name is for people.
  const name = `${typeof called === 'string' ? called.slice(0, 100) : subject} <${subject}>`
  const cookie = grant && (await beginSession(console, name, grant))
  if (!cookie) return { kind: 'forbidden', cookie: forgetCookie(console) }
  await ledger.consoleActs.note({ by: name, act: 'signed in' }, clock.now())
  return { kind: 'redirect', to, cookie: [cookie, forgetCookie(console)] }
}

function refused(console: Console, error: unknown, to: string): Answer {
  const reason = error === null ? 'oidc' : `oidc: ${faultName(error)}`
  console.parts.log.event('console.refused', { reason })
  const fault = 'Signing in through your organization did not succeed. Try again; the worker’s log has the details.'
  return { ...signInForm(console, { fault, to }, 403), cookie: forgetCookie(console) } as Answer
}

const cookieOf = ({ address, parts }: Console) => consoleCookie(address, `${parts.ledger.environment}-oidc`)

function rememberCookie(console: Console, remembered: Remembered): string {
  return cookieOf(console).set(Buffer.from(JSON.stringify(remembered)).toString('base64url'), rememberedS)
}

const forgetCookie = (console: Console) => cookieOf(console).clear()

function recall(console: Console, cookies: string | undefined): Remembered | null {
  try {
    const text = Buffer.from(cookieOf(console).read(cookies) ?? '', 'base64url').toString('utf8')
    return rememberedSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
