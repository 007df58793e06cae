// Checks that docs/service.md names every endpoint of the service, each with an existing function, test and command.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openIssuer } from '#src/issuer/issuer.ts'
import { routes } from '#src/issuer/routes.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { commandNames } from '#test/support/command-names.ts'
import { openGate } from '#test/support/open-gate.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/service.md')
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

const rows = [...page.matchAll(/^\| (`(?:GET|POST|PUT) [^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map((match) => {
  const [, endpoint = '', command = '', functions = '', tests = ''] = match
  return { endpoint: codes(endpoint)[0] ?? '', command, functions: codes(functions), tests: codes(tests) }
})

describe('the page of the service', () => {
  test('has every endpoint once, in the order of the list', () => {
    expect(rows.map((row) => row.endpoint)).toEqual(
      Object.values(routes).map(({ method, path }) => `${method} ${path}`),
    )
  })

  test('names functions that the client has', () => {
    const secret = new Secret('none')
    const gates = { gate: openGate, auth: openGate() }
    const random = () => 0
    // This opens no network connection.
    const issuer = openIssuer({
      baseUrl: 'https://service.invalid',
      key: secret,
      secret,
      gates,
      clock: systemClock,
      random,
    })
    const has = new Set(Object.entries(issuer).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])))
    expect(rows.filter((row) => row.functions.length === 0)).toEqual([])
    expect(rows.flatMap((row) => row.functions).filter((name) => !has.has(name))).toEqual([])
    const named = new Set(codes(page))
    expect([...has].filter((name) => !named.has(name) && !['counts', 'close'].includes(name))).toEqual([])
  })

  test.each(rows)('names tests of $endpoint that call its function', ({ functions, tests }) => {
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const text = tests.map(read).join()
    expect(text.includes(` test('`) || text.includes('test.each(')).toBe(true)
    const used = functions.filter((name) => new RegExp(`\\b${name}\\(|issuer\\.${name}\\b`).test(text))
    expect(used.length).toBeGreaterThan(0)
  })

  test.each(rows)('puts the commands of $endpoint in brackets until they exist', ({ command }) => {
    const shown = [...command.matchAll(/(\(?)`([a-z-]+)( [a-z-]+)?`(\)?)/g)]
    expect(shown.length).toBeGreaterThan(0)
    for (const [whole, open, name, , close] of shown)
      expect([whole, open === '(' && close === ')']).toEqual([whole, !commandNames.includes(name ?? '')])
  })
})
