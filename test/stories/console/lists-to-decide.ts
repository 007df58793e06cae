// Lists about which a person has to decide, in a console with a worker that carries the decisions out.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv } from '#test/support/world.ts'

/** By the mouse without JavaScript, and by the keyboard alone. */
export const ways = ['plain', 'keyboard'] as const
export type Way = (typeof ways)[number]

/** People of each way, so that the journeys do not meet. */
const peopleOf = (way: Way) =>
  [
    `hold.${way}.1@example.org,Bob,Hold`,
    `hold.${way}.2@example.org,Bea,Hold`,
    `fail.${way}@example.org,Cy,Fail`,
    `revoke.${way}@example.org,Dan,Revoke`,
    `correct.${way}@example.org,Eve,Corect`,
    '',
  ].join('\n')

export interface ListsToDecide extends AsyncDisposable {
  console: ConsoleWorld
  /** A list with people of each way, of which some are held, failed or issued. */
  run: string
  /** Runs that the brake holds, by the names of their files: `right.` and `wrong.` of each way. */
  braked: ReadonlyMap<string, string>
  /** The id of the issuance of a person, such as i42. */
  idOf(email: string): Promise<string>
}

export async function openListsToDecide(): Promise<ListsToDecide> {
  await using stack = new AsyncDisposableStack()
  const console = stack.use(
    await openConsoleWorld({ morePipelines: (first) => ({ autumn: { ...first, brake: { rows: 5 } } }) }),
  )
  const { app, folder } = console.world
  const { ledger } = app
  const worker = await startWorker(app)
  stack.defer(async () => void (await worker?.stop()))

  async function handIn(name: string, pipeline: string, text: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, text)
    const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: await hashFile(path) }
    const received = await ledger.runs.receive(source)
    await app.queues.enqueue('intake', { runId: received.run.id })
    return received.run.id
  }

  const people = `${peopleCsv(2)}hold.always@example.org,Abe,Hold\n${ways.map(peopleOf).join('')}`
  const run = await handIn('spring.csv', 'spring', people)
  await until('every row to rest', async () => (await ledger.runs.find(run))?.settledAt !== null, { everyMs: 200 })
  const braked = new Map<string, string>()
  for (const [at, name] of ways.flatMap((way) => [`right.${way}.csv`, `wrong.${way}.csv`]).entries())
    braked.set(name, await handIn(name, 'autumn', peopleCsv(6, 100 + at * 10)))
  const stateOf = async (id: string) => (await ledger.runs.find(id))?.state
  await until('the brake to hold them', async () =>
    (await Promise.all([...braked.values()].map(stateOf))).every((state) => state === 'braked'),
  )
  // Another list has another name: a correction waits.
  await handIn('later.csv', 'spring', 'e_mail,First Name,Last Name\nperson.2@example.org,Ada2,Byron\n')
  await until('the changed row', async () => (await ledger.revocations.waitingChanges()).length === 1)
  const closing = stack.move()
  return {
    ...{ console, run, braked },
    async idOf(email) {
      const [found] = await ledger.issuances.explain({ hashes: [ledger.hasher.match('email', email)] })
      return `i${found?.id}`
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
