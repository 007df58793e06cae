// What each verb of the ledger answers and changes, on a scene with rows in every state, beside a copy of the scene in
// another environment. The expected effects are in expected/*.txt. After a change on purpose, write them anew with
// CREDSYNC_TEST_WRITE_EFFECTS=1, and read the differences as you would read code.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { titleOf, type Verb } from '#test/guarantees/interleavings/verb.ts'
import { verbs } from '#test/guarantees/interleavings/verbs.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { readingVerbs } from './reading-verbs.ts'
import { type Effect, openStage, type Stage } from './stage.ts'
import { consoleReadings, consoleVerbs } from './verbs-of-console.ts'
import { verbsOutOfPlace } from './verbs-out-of-place.ts'

/** By the title of the verb. */
type Expected = Map<string, string>

const all = [...verbs, ...verbsOutOfPlace, ...consoleVerbs, ...readingVerbs, ...consoleReadings]
const rooms = [...new Set(all.map(({ name }) => roomOf(name)))]
const pathOf = (room: string) => join(import.meta.dirname, 'expected', `${room}.txt`)
const writes = process.env.CREDSYNC_TEST_WRITE_EFFECTS === '1'
const expected = new Map(rooms.map((room) => [room, writes ? new Map<string, string>() : readEffects(room)]))

/** The noun of a verb. */
function roomOf(name: string): string {
  return name.split('.')[0] ?? name
}

function readEffects(room: string): Expected {
  const blocks = readFileSync(pathOf(room), 'utf8')
    .trimEnd()
    .split(/\n\n(?=# )/)
  return new Map(blocks.map((block) => [block.slice(2, block.indexOf('\n')), block]))
}

/** Answers whose order means nothing: it follows PostgreSQL's plan, which may change as the tables of the stage grow. */
const withoutOrder = [
  ...['runs.settle', 'work.takeWriteBacks', 'work.takeAttemptsToSend', 'archives.take', 'learningSystems.take'],
  ...['drift.take', 'completions.takeToCompare', 'attempts.markLost', 'absence.noteLooks'],
  ...['decisions.resolve', 'decisions.retry'],
]
/** Sorts each list of single values, and the lines of an answer. */
const sorted = (answer: string) =>
  answer
    .replace(/\[([^[\]{}]*)\]/g, (_, values: string) => `[${values.split(',').sort().join(',')}]`)
    .split('\n')
    .sort()
    .join('\n')

const blockOf = (title: string, { answer, changes }: Effect) =>
  [
    `# ${title}`,
    withoutOrder.some((name) => title.startsWith(name)) ? sorted(answer) : answer,
    ...changes.map((line) => `- ${line}`),
  ].join('\n')

/** Change what they are given by its id alone. Ids are of the whole ledger, and a worker reads only those of its own. */
const byIdAlone = [
  ...['attempts.end', 'report.apply', 'absence.noteLooks', 'absence.sendAgain', 'absence.hold'],
  ...['scans.end', 'revocations.claim', 'revocations.end', 'revocations.noteCheck', 'revocations.postpone'],
  ...['runs.noteUnreadable', 'runs.noteReadable', 'runs.refuse', 'runs.notePaths', 'intake.clear', 'intake.stage'],
  ...['intake.publish', 'firstList.noteWaiting', 'writeBacks.want', 'writeBacks.noteReported', 'deliveries.note'],
  ...['drift.note', 'inboxes.noteFiled', 'inboundEvents.hold', 'inboundEvents.noteProcessed'],
  ...['notices.noteDelivered', 'notices.noteRefused', 'notices.noteUndelivered'],
]

describeWithDatabase('a verb of the ledger', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    if (!writes) return
    for (const [room, effects] of expected) writeFileSync(pathOf(room), `${[...effects.values()].join('\n\n')}\n`)
  })

  test.each(all.map((verb) => [titleOf(verb), verb] as const))('%s', async (title, verb: Verb) => {
    const effect = await stage.run(verb)
    expect(effect.elsewhere, 'what it changes in the other environment').toEqual([])
    const effects = expected.get(roomOf(verb.name))
    if (writes) effects?.set(title, blockOf(title, effect))
    expect(blockOf(title, effect)).toBe(effects?.get(title))
  })

  const writing = [...verbs, ...verbsOutOfPlace, ...consoleVerbs]
    .filter(({ name, variant }) => !byIdAlone.includes(name) && variant !== 'of a batch that has lost a row')
    .map((verb) => [titleOf(verb), verb] as const)
  test.each(writing)('%s, as a worker of another environment, on these rows', async (_, verb: Verb) => {
    const { changes } = await stage.run(verb, 'other')
    // What it adds belongs to its own environment.
    expect(changes.filter((line) => !/^\w+( \S+)? added: /.test(line))).toEqual([])
  })
})
