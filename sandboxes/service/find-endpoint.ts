// Finds the endpoint of a path. Pure.

import type { SandboxEndpoint } from './call.ts'

export interface FoundEndpoint {
  endpoint: SandboxEndpoint
  params: Record<string, string>
}

/** Returns a finder, which ignores the query of a path. Paths without variable parts take precedence. */
export function findEndpoint(
  endpoints: readonly SandboxEndpoint[],
): (method: string, path: string) => FoundEndpoint | null {
  const variable = ({ path }: SandboxEndpoint) => Number(path.includes(':'))
  const patterns = endpoints
    .toSorted((a, b) => variable(a) - variable(b))
    .map((endpoint) => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }))
  return (method, path) => {
    const [bare = ''] = path.split('?', 1)
    for (const { endpoint, pattern } of patterns) {
      const found = endpoint.method === method ? pattern.exec(bare) : null
      const params = found && decoded(found.groups ?? {})
      if (params) return { endpoint, params }
    }
    return null
  }
}

/** Returns null if a part is not encoded as URLs are. */
function decoded(parts: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, decodeURIComponent(part)]))
  } catch {
    return null
  }
}
