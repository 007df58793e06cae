// What is packed is the same code as in the checkout, statement by statement.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { toJavaScript } from '#build/to-javascript.ts'

const root = resolve(import.meta.dirname, '../..')

test('imports of our own files point at the built ones, and those of packages stay', () => {
  const source = [
    "import pg from 'pg'",
    "import { readFile } from 'node:fs/promises'",
    "import { a } from './a.ts'",
    "export { b } from '../b.ts'",
    "import type { T } from '#src/t.ts'",
    'import {',
    '  c,',
    "} from '#src/c.ts'",
    "const { d } = await import('#src/d.ts')",
    "const text = './a.ts'",
  ]
  expect(toJavaScript(source.join('\n')).split('\n')).toEqual([
    ...source.slice(0, 2),
    "import { a } from './a.js'",
    "export { b } from '../b.js'",
    ' '.repeat(source[4]?.length ?? 0),
    ...source.slice(5, 7),
    "} from '#src/c.js'",
    "const { d } = await import('#src/d.js')",
    source[9],
  ])
})

test('every statement keeps its line and column, so a location in a log or stack trace is the one in the source', () => {
  const files = ['config', 'jobs', 'sandboxes', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  const moved = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const built = toJavaScript(source)
    // Types became spaces, and the ending of an import another one; nothing else differs, and nothing has moved.
    const differs = (at: number) => built[at] !== source[at] && !/\s/.test(built[at] as string)
    const differences = Array.from(built, (_, at) => at).filter(differs)
    return built.length !== source.length || differences.some((at) => !/^[.](ts|js)'/.test(built.slice(at - 1, at + 3)))
  })
  expect(files.length).toBeGreaterThan(500)
  expect(moved).toEqual([])
})
