// Which endpoint a path belongs to, where no web server finds it.

import type { Endpoint } from './call.ts'

export interface Found {
  endpoint: Endpoint
  params: Record<string, string>
  query: Record<string, string>
}

/** A finder over endpoints whose only changing part is the last one, as all of the sandbox's are. */
export function findEndpoint(endpoints: readonly Endpoint[]): (method: string, path: string) => Found | null {
  const byPath = new Map(
    endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path.replace(/:.*$/, ':')}`, endpoint]),
  )
  return (method, path) => {
    const [bare = '', search = ''] = path.split('?', 2)
    const query = search === '' ? {} : Object.fromEntries(new URLSearchParams(search))
    const exact = byPath.get(`${method} ${bare}`)
    if (exact) return { endpoint: exact, params: {}, query }
    const slash = bare.lastIndexOf('/') + 1
    const endpoint = byPath.get(`${method} ${bare.slice(0, slash)}:`)
    const value = decoded(bare.slice(slash))
    if (!endpoint || value === null || value === '') return null
    return { endpoint, params: { [endpoint.path.split(':')[1] ?? '']: value }, query }
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
