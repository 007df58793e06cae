// The list of points is whole: what the jobs do with the ledger has a point, or provably changes nothing.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { points } from './points.ts'
import { readingVerbs } from './reading-verbs.ts'

const root = resolve(import.meta.dirname, '../../..')

/** What only a command at a terminal asks for: no story. */
const door = ['main.ts', 'doing.ts']

/** Verbs of the ledger that the stories and what they call name in their text. */
function calledVerbs(): Set<string> {
  const files = ['jobs', 'src/reconcile', 'src/intake'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !door.includes(name))
      .map((name) => join(root, folder, name)),
  )
  const calls = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\bledger\s*\.((?:archives\.|revocations\.)?\w+)\(/g),
  ])
  return new Set(calls.map((call) => call[1] ?? ''))
}

const pointed = new Set(
  points.flatMap(({ name, covers }) => [
    /^(?:ledger|sql)\.((?:archives\.|revocations\.)?\w+)/.exec(name)?.[1] ?? '',
    ...covers,
  ]),
)

describe('the points of the crash suite', () => {
  test('name every verb of the ledger that the jobs call, unless it only reads', () => {
    const without = [...calledVerbs()].filter((verb) => !pointed.has(verb) && !readingVerbs.includes(verb))
    expect(without).toEqual([])
  })

  test('name no verb that is not called any more', () => {
    const called = calledVerbs()
    const stale = [...pointed, ...readingVerbs].filter((verb) => verb !== '' && !called.has(verb))
    expect(stale).toEqual([])
  })

  test('bear each name once, and each says what has happened', () => {
    expect(new Set(points.map((point) => point.name)).size).toBe(points.length)
    expect(points.filter((point) => !point.what.endsWith('.'))).toEqual([])
  })
})
