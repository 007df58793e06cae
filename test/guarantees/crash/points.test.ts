// The list of points is whole: what the jobs do with the ledger has a point, or provably changes nothing.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inboxLives } from './inbox-lives.ts'
import { learningLives } from './learning-lives.ts'
import { points } from './points.ts'
import { killedElsewhere, readingVerbs } from './reading-verbs.ts'

const root = resolve(import.meta.dirname, '../../..')

/** What only a command at a terminal asks for: no story. */
const door = ['main.ts', 'doing.ts']

/** Verbs of the ledger that the stories and what they call name in their text, also those under a noun: `completions.hear`. */
function calledVerbs(): Set<string> {
  const files = ['jobs', 'src/reconcile', 'src/intake'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !door.includes(name))
      .map((name) => join(root, folder, name)),
  )
  const calls = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\bledger\s*\.\s*((?:\w+\s*\.\s*)?\w+)\(/g),
  ])
  return new Set(calls.map((call) => (call[1] ?? '').replace(/\s/g, '')))
}

const pointed = new Set([
  ...points.flatMap(({ name, covers }) => [/^(?:ledger|sql)\.((?:\w+\.)?\w+)/.exec(name)?.[1] ?? '', ...covers]),
  ...[...learningLives, ...inboxLives].map(({ at }) => at.replace(/:\w+$/, '')),
  ...learningLives.flatMap(({ covers }) => covers),
])
const unpointed = [...readingVerbs, ...Object.values(killedElsewhere).flat()]

describe('the points of the crash suite', () => {
  test('name every verb of the ledger that the jobs call, unless it only reads', () => {
    const without = [...calledVerbs()].filter((verb) => !pointed.has(verb) && !unpointed.includes(verb))
    expect(without).toEqual([])
  })

  test('name no verb that is not called any more', () => {
    const called = calledVerbs()
    const stale = [...pointed, ...unpointed].filter((verb) => verb !== '' && !called.has(verb))
    expect(stale).toEqual([])
  })

  test('are elsewhere where the file is that kills there', () => {
    expect(Object.keys(killedElsewhere).filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('bear each name once, and each says what has happened', () => {
    expect(new Set(points.map((point) => point.name)).size).toBe(points.length)
    expect([...points, ...learningLives, ...inboxLives].filter(({ what }) => !what.endsWith('.'))).toEqual([])
  })
})
