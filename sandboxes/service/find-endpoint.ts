// Finds the endpoint of a path, for calls that do not go through a web server. Pure.

import type { SandboxEndpoint } from './call.ts'

export interface FoundEndpoint {
  endpoint: SandboxEndpoint
  params: Record<string, string>
  query: Record<string, string>
}

interface Pattern {
  endpoint: SandboxEndpoint
  parts: readonly string[]
}

/** Returns a finder. Paths without variable parts take precedence, as with the web server. */
export function findEndpoint(
  endpoints: readonly SandboxEndpoint[],
): (method: string, path: string) => FoundEndpoint | null {
  const exact = new Map<string, SandboxEndpoint>()
  const patterns = new Map<string, Pattern[]>()
  for (const endpoint of endpoints) {
    if (!endpoint.path.includes(':')) exact.set(`${endpoint.method} ${endpoint.path}`, endpoint)
    else {
      const parts = endpoint.path.split('/')
      const patternKey = `${endpoint.method} ${parts.length}`
      patterns.set(patternKey, [...(patterns.get(patternKey) ?? []), { endpoint, parts }])
    }
  }
  return (method, path) => {
    const [bare = '', search = ''] = path.split('?', 2)
    const query = search === '' ? {} : Object.fromEntries(new URLSearchParams(search))
    const endpoint = exact.get(`${method} ${bare}`)
    if (endpoint) return { endpoint, params: {}, query }
    const requested = bare.split('/')
    for (const pattern of patterns.get(`${method} ${requested.length}`) ?? []) {
      const params = paramsOf(pattern.parts, requested)
      if (params) return { endpoint: pattern.endpoint, params, query }
    }
    return null
  }
}

function paramsOf(parts: readonly string[], requested: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const text = requested[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== text) return null
      continue
    }
    const value = decoded(text)
    if (value === null || value === '') return null
    params[part.slice(1)] = value
  }
  return params
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
