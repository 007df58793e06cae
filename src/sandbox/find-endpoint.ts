// Which endpoint a path belongs to, where no web server finds it.

import type { Endpoint } from './call.ts'

export interface Found {
  endpoint: Endpoint
  params: Record<string, string>
  query: Record<string, string>
}

interface Pattern {
  endpoint: Endpoint
  parts: readonly string[]
}

/** A finder over endpoints. Paths without changing parts go first, as with the web server. */
export function findEndpoint(endpoints: readonly Endpoint[]): (method: string, path: string) => Found | null {
  const exact = new Map<string, Endpoint>()
  const patterns = new Map<string, Pattern[]>()
  for (const endpoint of endpoints) {
    if (!endpoint.path.includes(':')) exact.set(`${endpoint.method} ${endpoint.path}`, endpoint)
    else {
      const parts = endpoint.path.split('/')
      const alike = `${endpoint.method} ${parts.length}`
      patterns.set(alike, [...(patterns.get(alike) ?? []), { endpoint, parts }])
    }
  }
  return (method, path) => {
    const [bare = '', search = ''] = path.split('?', 2)
    const query = search === '' ? {} : Object.fromEntries(new URLSearchParams(search))
    const endpoint = exact.get(`${method} ${bare}`)
    if (endpoint) return { endpoint, params: {}, query }
    const asked = bare.split('/')
    for (const pattern of patterns.get(`${method} ${asked.length}`) ?? []) {
      const params = paramsOf(pattern.parts, asked)
      if (params) return { endpoint: pattern.endpoint, params, query }
    }
    return null
  }
}

function paramsOf(parts: readonly string[], asked: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const text = asked[index] ?? ''
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
