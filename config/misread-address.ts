// Addresses of PostgreSQL and Redis that their drivers would read in another way than they are written, and so might use
// another server or database. Pure.

/**
 * Gives an address that names its host only as a parameter, as libpq allows (postgres://me@/ledger?host=/run/postgresql),
 * the host without which it is no URL. pg prefers the parameter.
 */
export function withHost(text: string | null): string | null {
  return text && !URL.canParse(text) && /[?&]host=[^&]/.test(text) ? text.replace('@/', '@localhost/') : text
}

/** Returns what is wrong with an address, as the end of a sentence; null if its driver reads it as it is written. */
export function misreading(where: 'DATABASE_URL' | 'REDIS_URL', text: string): string | null {
  if (text.includes('#'))
    return 'contains a #, and everything after it would be ignored. It must be percent-encoded (%23)'
  const url = URL.parse(text)
  const hosts = url?.searchParams.getAll('host') ?? []
  const authority = text.split(/[/?]/)[2] ?? ''
  if (
    authority.slice(authority.lastIndexOf('@') + 1).includes(',') ||
    hosts.some((host) => host.includes(',')) ||
    (hosts.length > 0 && /^%2f/i.test(url?.hostname ?? ''))
  )
    return 'names several hosts, and only one is possible. Name the primary, or an address that always leads to it'
  return url && (where === 'DATABASE_URL' ? misreadByPg(url) : misreadByIoredis(url))
}

/** What libpq understands, and pg ignores. */
const ignored = ['dbname', 'database', 'hostaddr', 'service']

function misreadByPg({ pathname, searchParams }: URL): string | null {
  const found = ignored.filter((name) => searchParams.has(name))
  if (found.length > 0)
    return `has the parameter ${found.join(' and ')}, which would be ignored. Name the host and the database as in postgres://host:5432/database`
  if (decodeURI(pathname) !== decodeURIComponent(pathname))
    return 'has an encoded character in the name of the database that would stay encoded. Write @ / : ; & = + $ and , there as they are; names with # or ? cannot be used'
  return null
}

function misreadByIoredis({ hostname, pathname }: URL): string | null {
  if (/^\/?\d*$/.test(pathname) && !hostname.includes('%')) return null
  return 'may have only the number of a database after its host, as in redis://127.0.0.1:6379/2. A Unix socket cannot be used'
}
