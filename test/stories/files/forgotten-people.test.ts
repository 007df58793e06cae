// The files of a run, written again without a person who was forgotten: real files, in the data directory and an inbox.

import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { removeFiles } from '#jobs/privacy/clean-run-files.ts'
import { writeBack } from '#jobs/write-back.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { emptyPeople } from '#test/support/emptied-people.ts'
import { issueList } from '#test/support/revocation-steps.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

const list = `${peopleCsv(3)}broken.example.org,Bea,Broken\nwrong.example.org,Cy,Wrong\n`

/** A world in which a list was issued, with two invalid rows. */
async function openListed() {
  const world = await openWorld()
  const run = await issueList(world, 'list.csv', list)
  await writeBack(world.app, { runId: run })
  const found = async () => (await world.app.ledger.runs.find(run)) as Run
  return { world, found, run, outbox: join(world.folder, 'outbox') }
}

const textsIn = async (folder: string) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  )
const linesOf = async (path: string | null) => (await readFile(path ?? '', 'utf8')).trim().split('\r\n')

/** The same app, whose ledger throws at a verb of the erasures, as if the process were killed there. */
function killedAt(world: World, verb: 'noteCleaned' | 'filesOf'): World['app'] {
  const erasures = { ...world.app.ledger.erasures, [verb]: () => Promise.reject(new Error('killed')) }
  return { ...world.app, ledger: { ...world.app.ledger, erasures } }
}

describeWithDatabase('the files of a run in which a person was forgotten', () => {
  test('have an empty line in the place of the person, and everybody else as before', async () => {
    const { world, found, run, outbox } = await openListed()
    await using _ = world
    const before = await found()
    const [results, invalid] = [await linesOf(before.resultsPath), await linesOf(before.invalidPath)]
    expect(JSON.stringify(await textsIn(outbox))).toMatch(/person\.2@.*broken|broken.*person\.2@/s)

    const erasure = await emptyPeople(world.app.database, { issuances: [2], rows: [{ run, row: 5 }] })
    expect(await removeFiles(world.app, erasure)).toBeNull()
    const texts = await textsIn(outbox)
    expect(JSON.stringify(texts)).not.toMatch(/person\.2@|Ada2|broken|Bea/)
    const { rows } = await world.app.database.query<{ at: Date }>('SELECT max(forgotten_at) AS at FROM run_row')
    const day = rows[0]?.at.toISOString().slice(0, 10)
    const now = await linesOf(before.resultsPath)
    expect(now).toHaveLength(results.length)
    expect(now.filter((line, at) => line !== results[at])).toEqual(
      Array.from({ length: 2 }, () => `"","","",forgotten,"","","","",forgotten on ${day}`),
    )
    const invalidNow = await linesOf(before.invalidPath)
    expect([invalidNow[0], invalidNow[2]]).toEqual([invalid[0], invalid[2]])
    expect(invalidNow[1]).toMatch(new RegExp(`^5,"",forgotten,"?forgotten on ${day}[^,]*"?,"","","",""$`))
    expect(texts[Object.keys(texts).find((name) => name.endsWith('summary.txt')) ?? '']).toContain(
      '2 rows of people who were forgotten',
    )
    // Nothing is left to do, and nothing is written a second time.
    await rm(before.resultsPath ?? '')
    expect(await removeFiles(world.app, erasure)).toBeNull()
    expect(await readdir(outbox)).toHaveLength(2)
  })

  test('are written by the next attempt if the process was killed before or after they were', async () => {
    const { world, found } = await openListed()
    await using _ = world
    const erasure = await emptyPeople(world.app.database, { issuances: [2] })
    const { resultsPath } = await found()
    await expect(removeFiles(killedAt(world, 'filesOf'), erasure)).rejects.toThrow('killed')
    expect(await readFile(resultsPath ?? '', 'utf8')).toContain('person.2@')
    await expect(removeFiles(killedAt(world, 'noteCleaned'), erasure)).rejects.toThrow('killed')
    expect(await removeFiles(world.app, erasure)).toBeNull()
    expect(await readFile(resultsPath ?? '', 'utf8')).not.toContain('person.2@')
  })

  test('stay away if their reader took them, and a file of invalid rows that does not show the person is not touched', async () => {
    const { world, found, outbox } = await openListed()
    await using _ = world
    const { resultsPath, invalidPath } = await found()
    await rm(resultsPath ?? '')
    await writeFile(invalidPath ?? '', 'being fixed')
    const erasure = await emptyPeople(world.app.database, { issuances: [2] })
    expect(await removeFiles(world.app, erasure)).toBeNull()
    expect((await readdir(outbox)).filter((name) => name.includes('results'))).toEqual([])
    expect(await readFile(invalidPath ?? '', 'utf8')).toBe('being fixed')
  })

  test('are left to the next sweep once its time is over, and while somebody else writes them', async () => {
    const { world, run } = await openListed()
    await using _ = world
    const runs = [run]
    for (const name of ['second', 'third']) {
      const id = await issueList(world, `${name}.csv`, list + '\n'.repeat(name.length - 4))
      await writeBack(world.app, { runId: id })
      runs.push(id)
    }
    const { app } = world
    const erasure = await emptyPeople(app.database, { issuances: [2] })
    const shown = async () => {
      const texts = await Promise.all(
        runs.map(async (id) => linesOf((await app.ledger.runs.find(id))?.resultsPath ?? '')),
      )
      return texts.filter((lines) => lines.join().includes('person.2@')).length
    }
    // Each look at this clock takes a second.
    let nowMs = 0
    const tools = { ...app, clock: { ...app.clock, monotonicMs: () => (nowMs += 1_000) } }
    const isWritten = 'The files of its lists are being written again.'
    const left: unknown[] = []
    for (let sweep = 0; sweep < 3; sweep++)
      left.push([await removeFiles(tools, erasure, { leftMs: 1_000 }), await shown()])
    expect(left).toEqual([
      [isWritten, 2],
      [isWritten, 1],
      [null, 0],
    ])
    await app.database.query('UPDATE erased_run SET cleaned_at = NULL')
    await app.ledger.locks.withLock(`write-back:${run}`, async () =>
      expect(await removeFiles(app, erasure)).toBe(isWritten),
    )
    expect(await app.ledger.erasures.runsToClean(erasure)).toMatchObject([{ run }])
    expect(await removeFiles(app, erasure)).toBeNull()
  })

  test('are waited for while their folder is missing', async () => {
    const { world, found, run, outbox } = await openListed()
    await using _ = world
    const { resultsPath } = await found()
    const erasure = await emptyPeople(world.app.database, { issuances: [2] })
    await rename(outbox, `${outbox}.elsewhere`)
    expect(await removeFiles(world.app, erasure)).toBe(
      `The files of run ${run}: The folder ${dirname(resultsPath ?? '')} is missing, and files were written there. Mount its disk or restore the folder; if its files are gone for good, create an empty folder in its place.`,
    )
    expect(await readdir(world.folder)).not.toContain('outbox')
    await rename(`${outbox}.elsewhere`, outbox)
    expect(await removeFiles(world.app, erasure)).toBeNull()
    expect(await readFile(resultsPath ?? '', 'utf8')).not.toContain('person.2@')
  })

  test('do not use up the time of others because the folder of many is missing', async () => {
    const { world, outbox } = await openListed()
    await using _ = world
    const { app } = world
    for (const blanks of [1, 2])
      await writeBack(app, { runId: await issueList(world, 'again.csv', list + '\n'.repeat(blanks)) })
    const erasure = await emptyPeople(app.database, { issuances: [2] })
    await rename(outbox, `${outbox}.elsewhere`)
    let nowMs = 0
    const clock = { ...app.clock, monotonicMs: () => (nowMs += 1_000) }
    const time = { leftMs: 10_000 }
    expect(await removeFiles({ ...app, clock }, erasure, time)).toMatch(/is missing.* And 2 more\.$/)
    expect(time.leftMs).toBe(9_000)
  })
})
