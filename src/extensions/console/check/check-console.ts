// Checks that the console can be served and that somebody can sign in: the port is free, or used by a worker on this
// machine, and the identity provider answers. Listens on the port briefly.

import { hostname } from 'node:os'
import { runningWorkers } from '#src/app/running-workers.ts'
import { tryPort } from '#src/check/check-port.ts'
import { type Check, faulty, passed } from '#src/check/check-result.ts'
import type { Parts } from '#src/check/open-parts.ts'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import { discoverProvider, type ProviderClient, providerAnswerS } from '#src/platform/discover-provider.ts'

type ConsoleParts = Pick<Parts, 'settings' | 'database' | 'ledger'>

export async function checkConsole(parts: ConsoleParts): Promise<Check[]> {
  const pages = parts.settings.file.console
  if (!pages) return []
  const { oidc } = pages.auth
  return [...(await checkPages(parts, pages)), ...(oidc ? [await checkIdentityProvider(oidc)] : [])]
}

async function checkPages(
  { settings, database, ledger }: ConsoleParts,
  { host, port, url, auth }: ConsoleSettings,
): Promise<Check[]> {
  const web = settings.file.web
  if (port !== 0 && port === web.port && host === web.host)
    return [
      faulty(
        'console',
        `the console and the health pages have the same port, ${port}`,
        'Set console.port to another one',
      ),
    ]
  const code = await tryPort(host, port)
  const workers = code === 'EADDRINUSE' && database && ledger ? await runningWorkers({ database, ledger }) : []
  const isOurs = workers.some((worker) => worker.host === hostname())
  if (code !== null && !isOurs)
    return [
      faulty(
        'console',
        `the console cannot listen on ${host}, port ${port} (${code})`,
        'Set console.host and console.port to a free address; port 0 takes any free one',
      ),
    ]
  const people = auth.local && ledger ? await ledger.consolePeople.list() : []
  const isOpen = auth.proxy !== undefined || auth.oidc !== undefined || people.length > 0 || !ledger
  const nobody = 'nobody can sign in yet: add the first person with `credsync console user add NAME --role operator`'
  return [
    passed('console', url === undefined ? `on this machine only, port ${port}` : `people open it at ${url}`, {
      ...(!isOpen && { notices: [nobody] }),
    }),
  ]
}

// Checks that the identity provider of the console can sign people in: that it answers, is the one that is configured, and
// offers what the console asks for. Reads what the provider says about itself, and signs nobody in.

const name = 'console'

export async function checkIdentityProvider(client: ProviderClient, timeoutS = providerAnswerS): Promise<Check> {
  try {
    const provider = await discoverProvider(client, timeoutS)
    return judgeOffers(provider.serverMetadata()) ?? passed(name, `people sign in at ${new URL(client.issuer).host}`)
  } catch (error) {
    return unusable(error, client.issuer, timeoutS)
  }
}

const setIssuer = 'Set console.auth.oidc.issuer to the issuer of your identity provider'

function unusable(error: unknown, issuer: string, timeoutS: number): Check {
  const { code, cause } = error as { code?: string; cause?: Record<string, unknown> }
  const fault = (what: string, remedy: string) => faulty(name, `the identity provider ${what}`, remedy)
  const reach = 'Look whether this machine reaches it, and whether its certificate is valid here'
  if (code === 'OAUTH_TIMEOUT') return fault(`did not answer within ${timeoutS} s at ${issuer}`, reach)
  if (error instanceof TypeError)
    return fault(`does not answer at ${issuer} (${String(cause?.code ?? 'FAILED')})`, reach)
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause?.status !== undefined)
    return fault(`answers ${String(cause.status)} where ${issuer} should describe itself`, setIssuer)
  const itself = (cause?.body as { issuer?: unknown } | undefined)?.issuer
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && typeof itself === 'string')
    return fault(
      `calls itself ${itself}, and not ${issuer}, so every sign-in would fail`,
      `${setIssuer}, as it says it`,
    )
  return fault(`does not describe itself at ${issuer}`, setIssuer)
}

/** Those whose signatures the client for signing in can check. */
const algorithms = /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519|ML-DSA-(?:44|65|87))$/

/** What the provider lacks, if anything. What it does not list, it is taken to offer. Pure. */
function judgeOffers(described: Readonly<Record<string, unknown>>): Check | null {
  const lacking = (what: string, remedy: string) =>
    faulty(name, `the identity provider ${what}, so every sign-in would fail`, remedy)
  const offers = (key: string, isFit: (value: string) => boolean) => {
    const list = described[key]
    return !Array.isArray(list) || list.some((each) => typeof each === 'string' && isFit(each))
  }
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].find((key) => !described[key])
  if (missing !== undefined) return lacking(`names no ${missing}`, setIssuer)
  if (!offers('id_token_signing_alg_values_supported', (value) => algorithms.test(value)))
    return lacking('signs ID tokens in no way that can be checked', 'Let it sign them with RS256, ES256 or PS256')
  if (!offers('response_types_supported', (value) => value === 'code'))
    return lacking('does not offer the authorization code flow', 'Allow the response type code')
  if (!offers('code_challenge_methods_supported', (value) => value === 'S256'))
    return lacking('does not offer PKCE with S256', 'Allow the code challenge method S256')
  if (!offers('token_endpoint_auth_methods_supported', (value) => value === 'client_secret_post'))
    return lacking('takes no secret of a client from a form', 'Allow client_secret_post at its token endpoint')
  return null
}
