// What each verb of the ledger has locked before which of its statements. Rows are locked by their ids, and attempts
// after them, so that two verbs with the same rows cannot deadlock. The expected locks are in expected/locks.txt, written
// like the effects.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { titleOf, type Verb } from '#test/guarantees/interleavings/verb.ts'
import { verbs } from '#test/guarantees/interleavings/verbs.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import type { LockStep } from './locks.ts'
import { openStage, type Stage } from './stage.ts'

const path = join(import.meta.dirname, 'expected/locks.txt')
const writes = process.env.CREDSYNC_TEST_WRITE_EFFECTS === '1'
const blocks = writes
  ? []
  : readFileSync(path, 'utf8')
      .trimEnd()
      .split(/\n\n(?=# )/)
const expected = new Map(blocks.map((block) => [block.slice(2, block.indexOf('\n')), block]))
const blockOf = (title: string, steps: readonly LockStep[]) =>
  [
    `# ${title}`,
    ...steps.map(({ statement, locks }) => `- before statement ${statement}: ${locks.join(', ')}`),
    ...(steps.length > 0 ? [] : ['nothing']),
  ].join('\n')
const all = verbs.map((verb) => [titleOf(verb), verb] as const)

/**
 * One UPDATE of given ids. PostgreSQL locks their rows in the order of its plan: by the index of ids, unless the table is
 * as small as here. A deadlock is tried again.
 */
const inOrderOfPlan = [
  ...['absence.noteLooks', 'absence.sendAgain', 'absence.hold', 'decisions.resolve'],
  ...['archives.noteKept', 'archives.noteFailure'],
]

/** The rows that a verb locks before it changes anything. */
const rowsOf = ({ locks }: LockStep) => locks.flatMap((what) => what.match(/^issuance (\d+)$/)?.[1] ?? []).map(Number)

describeWithDatabase('the locks of a verb', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    if (writes) writeFileSync(path, `${[...expected.values()].join('\n\n')}\n`)
  })

  test.each(all)('%s', async (title, verb: Verb) => {
    const steps = await stage.locks(verb)
    if (writes) expected.set(title, blockOf(title, steps))
    expect(blockOf(title, steps)).toBe(expected.get(title))
  })

  test.each(all.filter(([, { name }]) => !inOrderOfPlan.includes(name)))(
    '%s: rows by their ids, before attempts',
    async (_, verb: Verb) => {
      const rows = (await stage.locks(verb)).map(rowsOf).find((step) => step.length > 1)
      if (!rows) return
      expect(await stage.lockedBefore(verb, Math.min(...rows))).toEqual([])
    },
  )
})
