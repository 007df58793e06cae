// The scene of the interleavings, with a copy of it in another environment, on which single verbs are tried.

import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { keepScene } from '#test/guarantees/interleavings/restore-scene.ts'
import { buildScene, type Scene } from '#test/guarantees/interleavings/scene.ts'
import type { Verb } from '#test/guarantees/interleavings/verb.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { createCopy, createRestart, reverseKept, toEnvironment, toPipeline } from './copies.ts'
import { differencesOf, openContent } from './differences.ts'
import { type LockStep, openLockWatch } from './locks.ts'
import { asText, plainWords } from './plain-words.ts'

export interface Effect {
  answer: string
  /** One line for each row that it changed. */
  changes: string[]
  /** The same of the other environment. */
  elsewhere: string[]
}

export interface Stage extends AsyncDisposable {
  /** Runs a verb on the scene, as a worker of its environment or of the other one. */
  run(verb: Verb, as?: 'own' | 'other'): Promise<Effect>
  /** Runs a verb on the scene. Returns what it locks, one step after the other. */
  locks(verb: Verb): Promise<LockStep[]>
  /** Runs a verb while another transaction holds a row of issuance. Returns what the verb locks before it waits. */
  lockedBefore(verb: Verb, row: number): Promise<string[]>
}

const other = 'elsewhere'

/** However long the tests take, work that the scene has taken does not become due again. */
const neverLost = { lostAfterMs: 864_000_000 }

export async function openStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const testLedger = stack.use(await openTestLedger())
  const scene = await buildScene(testLedger)
  const { database } = testLedger
  const kept = await keepScene(database)
  await reverseKept(database)
  for (const copy of [toPipeline, toEnvironment(other)]) await createCopy(database, copy)
  await createRestart(database)
  const runs = await runNames(testLedger, scene)
  await kept.restore()
  await database.query(`SELECT kept.${toPipeline.name}()`)
  await database.query(`SELECT kept.${toEnvironment(other).name}()`)
  await kept.keepNow()
  const content = await openContent(database)
  const tried = stack.use(openDatabase(testLedger.url, { connections: 3, instance: 'tried' }))
  // One for each verb: what a ledger remembers must not outlive the scene.
  const open = (as: 'own' | 'other') => openWholeLedger(tried, as === 'own' ? 'development' : other, neverLost)
  const now = async () => (await testLedger.queryOne<{ at: Date }>('SELECT clock_timestamp() AS at')).at.getTime()
  const setUp = async () => {
    await kept.restore()
    await database.query('SELECT kept.restart()')
  }
  const lockWatch = stack.use(await openLockWatch(testLedger, scene))
  const closing = stack.move()
  return {
    async locks(verb) {
      await setUp()
      const plain = (text: string) => plainWords(text, { since: 0, until: 0, runs })
      return (await lockWatch.steps(verb)).map(({ statement, locks }) => ({
        ...{ statement, locks: locks.map(plain).sort(inOrder) },
      }))
    },
    async lockedBefore(verb, row) {
      await setUp()
      return lockWatch.lockedBefore(verb, row)
    },
    async run(verb, as = 'own') {
      await setUp()
      const ledger = await open(as)
      const since = await now()
      const answer = await answerOf(verb, ledger, scene)
      const until = await now()
      const { own, others } = differencesOf(...(await content.changesOf(await kept.written())), other)
      const plain = (text: string) => plainWords(text, { since: since - 1, until: until + 1, runs })
      return { answer: plain(answer), changes: own.map(plain).sort(inOrder), elsewhere: others.map(plain) }
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** By table, then by number. */
const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

async function answerOf(verb: Verb, ledger: WholeLedger, scene: Scene): Promise<string> {
  try {
    return asText(await verb.run(ledger, scene))
  } catch (error) {
    return `throws ${error instanceof Error ? error.message : error}`
  }
}

async function runNames({ database }: Awaited<ReturnType<typeof openTestLedger>>, scene: Scene) {
  const { rows } = await database.query<{ id: string; name: string }>(
    `SELECT id, source_name || ' ' || row_number() OVER (ORDER BY received_at) AS name FROM run`,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  for (const [name, id] of Object.entries(scene.runs)) names.set(id, name)
  const { character, at } = toPipeline.runs
  const copied = (id: string) => id.slice(0, at - 1) + character + id.slice(at)
  return new Map([...names].flatMap(([id, name]) => [[id, `run ${name}`] as const, [copied(id), `run ${name} 2`]]))
}
