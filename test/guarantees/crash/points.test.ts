// Checks that the list of points is complete: every ledger verb that the jobs call has a point here or in another
// suite, or is known to need none.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inboxKills } from './inbox-kill-points.ts'
import { lmsKills } from './lms-kill-points.ts'
import { points } from './points.ts'
import { harmlessVerbs, killedElsewhere } from './verbs-without-points.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Files of `jobs` that serve only terminal commands. */
const commandFiles = ['main.ts', 'job-actions.ts']

/** The ledger verbs in the source of the jobs and of the modules they call, with their noun: `completions.ingest`. */
function calledVerbs(): Set<string> {
  const files = ['jobs', 'src/issuing/reconcile', 'src/issuing/intake', 'src/extensions/lms/sync'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !commandFiles.includes(name))
      .map((name) => join(root, folder, name)),
  )
  const calls = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\bledger\s*\.\s*((?:\w+\s*\.\s*)?\w+)\(/g),
  ])
  return new Set(calls.map((call) => (call[1] ?? '').replace(/\s/g, '')))
}

const verbsWithPoint = new Set([
  ...points.flatMap(({ name, covers }) => [/^(?:ledger|sql)\.((?:\w+\.)?\w+)/.exec(name)?.[1] ?? '', ...covers]),
  ...[...lmsKills, ...inboxKills].map(({ at }) => at.replace(/:\w+$/, '')),
  ...lmsKills.flatMap(({ covers }) => covers),
])
const verbsWithoutPoint = [...harmlessVerbs, ...Object.values(killedElsewhere).flat()]

describe('the points of the crash suite', () => {
  test('name every ledger verb that the jobs call and that writes', () => {
    const without = [...calledVerbs()].filter((verb) => !verbsWithPoint.has(verb) && !verbsWithoutPoint.includes(verb))
    expect(without).toEqual([])
  })

  test('name no verb that is no longer called', () => {
    const called = calledVerbs()
    const stale = [...verbsWithPoint, ...verbsWithoutPoint].filter((verb) => verb !== '' && !called.has(verb))
    expect(stale).toEqual([])
  })

  test('name only existing files as other suites', () => {
    expect(Object.keys(killedElsewhere).filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('have unique names and say what has happened', () => {
    expect(new Set(points.map((point) => point.name)).size).toBe(points.length)
    expect([...points, ...lmsKills, ...inboxKills].filter(({ what }) => !what.endsWith('.'))).toEqual([])
  })
})
