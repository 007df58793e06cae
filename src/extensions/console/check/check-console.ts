// Checks that the console can be served and that somebody can sign in: the port is free, or used by a worker on this
// machine, and the identity provider answers. Listens on the port briefly.

import { hostname } from 'node:os'
import { runningWorkers } from '#src/app/running-workers.ts'
import { tryPort } from '#src/check/check-port.ts'
import { type Check, faulty, passed } from '#src/check/check-result.ts'
import type { Parts } from '#src/check/open-parts.ts'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import { discoverProvider, type ProviderClient } from '#src/platform/discover-provider.ts'

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

/** Checks that the identity provider answers and is the one that is configured. Signs nobody in. */
async function checkIdentityProvider(client: ProviderClient): Promise<Check> {
  const { issuer } = client
  try {
    await discoverProvider(client)
    return passed('console', `people sign in at ${new URL(issuer).host}`)
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string; body?: { issuer?: unknown } } }
    const fault = (what: string, remedy: string) => faulty('console', `the identity provider ${what}`, remedy)
    if (error instanceof TypeError || code === 'OAUTH_TIMEOUT')
      return fault(
        `does not answer at ${issuer} (${cause?.code ?? code ?? 'FAILED'})`,
        'Look whether this machine reaches it, and whether its certificate is valid here',
      )
    const setIssuer = 'Set console.auth.oidc.issuer to the issuer of your identity provider'
    if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
      return fault(
        `calls itself ${cause?.body?.issuer}, and not ${issuer}, so every sign-in would fail`,
        `${setIssuer}, exactly as the provider states it`,
      )
    return fault(`does not describe itself at ${issuer}`, setIssuer)
  }
}
