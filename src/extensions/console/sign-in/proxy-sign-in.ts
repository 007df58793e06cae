// Recognizes people by the headers of a reverse proxy. They count only from the addresses of trusted proxies and with
// the secret that the proxy shares with us: anybody else could write them. Pure.

import { BlockList, isIP } from 'node:net'
import type { ConsoleGrant } from '#src/extensions/console/ledger/local-users.ts'
import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import type { ConsoleGrants, ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import { isKnownSecret } from '#src/platform/same-secret.ts'

const userHeader = 'x-forwarded-user'
const groupsHeader = 'x-forwarded-groups'
const secretHeader = 'x-credsync-proxy-secret'

export interface ProxiedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The address of the other end of the connection, whatever a header says. */
  peer: string
}

/** Null if the request does not come from the proxy, and `stranger` if nobody has granted the person anything. */
export function proxiedPerson(
  settings: ConsoleSettings,
  { headers, peer }: ProxiedRequest,
): SignedIn | 'stranger' | null {
  const { proxy } = settings.auth
  if (!proxy || !isTrusted(settings.trustedProxies, peer)) return null
  const { [secretHeader]: secret, [userHeader]: name, [groupsHeader]: groups } = headers
  if (typeof secret !== 'string' || !isKnownSecret(secret, [proxy.secret])) return null
  if (typeof name !== 'string' || !/^[^\p{Cc},]{1,200}$/u.test(name.trim())) return null
  const grant = grantOf(proxy.grants, typeof groups === 'string' ? groups.split(',').map((each) => each.trim()) : [])
  // The log must not take somebody for a local user of the same name.
  return grant ? { name: `${name.trim()} (proxy)`, ...grant } : 'stranger'
}

/**
 * Whether a header that says who sends a request, or which console is meant, came twice. Node joins the two with
 * commas.
 * @param raw names and values in turns
 */
export function repeatsIdentity(raw: readonly string[]): boolean {
  const given = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  return ['host', secretHeader, userHeader, groupsHeader].some(
    (name) => given.indexOf(name) !== given.lastIndexOf(name),
  )
}

/** What somebody with these groups may do: the first grant that fits; null if none does. */
export function grantOf(grants: ConsoleGrants, groups: readonly string[]): ConsoleGrant | null {
  const found = grants.find(({ of }) => groups.includes(of))
  return found ? { role: found.role, pipelines: found.pipelines ?? null } : null
}

function isTrusted(ranges: readonly string[], address: string): boolean {
  const trusted = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    if (bits === undefined) trusted.addAddress(network, familyOf(network))
    else trusted.addSubnet(network, Number(bits), familyOf(network))
  }
  return isIP(address) !== 0 && trusted.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
