// From an inbox to runs, and from runs to the folders where files end: the real folder, the real ledger, the clock moved by hand.

import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from './support/database.ts'
import { inboxFolder, openDesk } from './support/inbox-desk.ts'
import { describeWithRedis } from './support/redis.ts'
import { until } from './support/until.ts'
import { openWorld, peopleCsv, timesIssued } from './support/world.ts'

describeWithDatabase('an inbox', () => {
  test('makes a run of each file and leaves the bytes as they are', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    expect(run).toMatchObject({ state: 'received', pipeline: 'spring', sourceName: 'list.csv', notices: [] })
    expect(basename(run.sourcePath)).toMatch(/^2026-11-20T20-01-00Z\.[0-9a-f]{8}\.list\.csv$/)
    expect(await readFile(run.sourcePath, 'utf8')).toBe(peopleCsv(2))
    expect(desk.asked).toEqual(['intake'])
    expect(await desk.memory()).toMatchObject({ files: 1, problem: null, missed: 0 })
    // Looking again finds nothing new.
    await desk.clock.advance(60_000)
    await desk.look()
    expect(await desk.app.ledger.listRuns()).toHaveLength(1)
  })

  test('receives what a kill left behind between taking and receiving, once', async () => {
    const desk = await openDesk()
    await desk.drop('list.csv')
    const [inbox] = desk.tools.inboxes.all
    await inbox?.look()
    const taken = await inbox?.take('list.csv')
    await Promise.all([desk.look(), desk.look()])
    await desk.look()
    const runs = await desk.app.ledger.listRuns()
    expect(runs.map((run) => [run.sourcePath, run.sourceName])).toEqual([[taken?.path, 'list.csv']])
    // Two workers that both think so get the same run.
    const source = {
      pipeline: 'spring',
      sourceName: 'list.csv',
      sourcePath: taken?.path ?? '',
      sourceSha256: 'other',
      letters: null,
    }
    expect(await desk.app.ledger.inboxes.receive(source)).toEqual({ runId: runs[0]?.id, as: 'known', sentence: null })
  })

  test('puts the file of a settled run into done, and the ledger knows where', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    await desk.look()
    expect(await desk.in('processing')).toEqual([basename(run.sourcePath)])
    await desk.settle(run)
    await desk.look()
    expect([await desk.in('processing'), await desk.in('done')]).toEqual([[], [basename(run.sourcePath)]])
    const now = await desk.app.ledger.findRun(run.id)
    expect(now?.sourcePath).toBe(join(desk.inbox, 'done', basename(run.sourcePath)))
  })

  test('makes good a kill between moving a file and noting it', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    await desk.settle(run)
    await mkdir(join(desk.inbox, 'done'))
    await rename(run.sourcePath, join(desk.inbox, 'done', basename(run.sourcePath)))
    await desk.look()
    expect(await desk.app.ledger.inboxes.unfiled('spring')).toEqual([])
    expect((await desk.app.ledger.findRun(run.id))?.sourcePath).toContain('/done/')
  })

  test('puts a file that grew after it was read into refused, saying that the rest was not read', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    await desk.read(run)
    await desk.settle(run)
    await appendFile(run.sourcePath, 'late@example.org,Ada,Late\n')
    await desk.look()
    const [file = '', reason = ''] = await desk.in('refused')
    expect(file).toBe(basename(run.sourcePath))
    expect(await readFile(join(desk.inbox, 'refused', reason), 'utf8')).toMatch(
      new RegExp(`^This file changed after it was taken.*was issued \\(run ${run.id}\\).*Drop it into the inbox again`),
    )
    // A kill between moving it and noting that changes nothing.
    await desk.app.database.query('UPDATE run SET filed_at = NULL, source_path = $2 WHERE id = $1', [
      run.id,
      run.sourcePath,
    ])
    await desk.look()
    expect(await desk.in('done')).toEqual([])
    expect((await desk.app.ledger.findRun(run.id))?.sourcePath).toBe(join(desk.inbox, 'refused', file))
  })

  test('gives a run the letters of its file, so that its results are called alike', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    expect(basename(run.sourcePath)).toContain(`.${run.id.slice(0, 8)}.list.csv`)
  })

  test('puts a refused file into refused, with the reason beside it', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv', 'e_mail,e_mail\nperson.1@example.org,b\n')
    await desk.read(run)
    await desk.look()
    const [file = '', reason = ''] = await desk.in('refused')
    expect([file, reason]).toEqual([basename(run.sourcePath), `${basename(run.sourcePath)}.reason.txt`])
    const sentence = await readFile(join(desk.inbox, 'refused', reason), 'utf8')
    const refusal = (await desk.app.ledger.findRun(run.id))?.refusal
    expect(sentence.startsWith(`${refusal}\n`)).toBe(true)
    expect(sentence).toMatch(/drop the file into the inbox again, with its marker if it needs one\. Settings.*\.\n$/)
    expect(sentence).not.toContain('person.1')
  })

  test('leaves the file of a braked run in processing until somebody has decided', async () => {
    const desk = await openDesk({}, { brake: { rows: 1 } })
    const run = await desk.taken('list.csv')
    await desk.read(run)
    expect((await desk.app.ledger.findRun(run.id))?.state).toBe('braked')
    await desk.look()
    expect(await desk.in('processing')).toEqual([basename(run.sourcePath)])
    // A copy of it need not be decided about as well.
    await desk.taken('copy.csv')
    expect(await desk.in('processing')).toEqual([basename(run.sourcePath)])
    expect(await desk.in('done')).toHaveLength(2)
    const page = async () => readFile(join(desk.inbox, 'outbox', (await desk.in('outbox'))[0] ?? ''), 'utf8')
    expect(await page()).toContain(`credsync approve ${run.id}`)
    await desk.app.ledger.rejectRun(run.id, { by: 'registrar', why: 'the wrong list' })
    await desk.look()
    expect(await desk.in('refused')).toContain(basename(run.sourcePath))
    expect(await page()).toMatch(/It was refused, and nothing of it is issued\. .*registrar/)
    expect(await page()).not.toContain('credsync approve')
  })

  test('takes the same content again as a run of its own, which says so', async () => {
    const desk = await openDesk()
    const first = await desk.taken('list.csv')
    await desk.read(first)
    await desk.settle(first)
    const second = await desk.taken('again.csv')
    expect(second.id).not.toBe(first.id)
    await desk.read(second)
    const read = await desk.app.ledger.findRun(second.id)
    expect(read).toMatchObject({ state: 'published', rows: 2, skipped: 2, accepted: 0 })
    const day = first.receivedAt.toISOString().slice(0, 10)
    expect(read?.notices).toContain(`The same content was received on ${day} as list.csv (run ${first.id}).`)
  })

  test('keeps a copy until the run with its content was read, and then puts it away: no run has two files', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    await desk.taken('copy.csv')
    expect(await desk.in('processing')).toHaveLength(2)
    expect(await desk.app.ledger.listRuns()).toHaveLength(1)
    // Nor does `issue` with the same content take the file from under it.
    const elsewhere = await desk.receive('elsewhere.csv', peopleCsv(2))
    expect(elsewhere).toBe(run.id)
    expect((await desk.app.ledger.findRun(run.id))?.sourcePath).toBe(run.sourcePath)

    await desk.read(run)
    await desk.look()
    expect(await desk.in('processing')).toEqual([basename(run.sourcePath)])
    const [copy = '', reason = ''] = await desk.in('done')
    expect(copy).toMatch(/\.copy\.csv$/)
    expect(await readFile(join(desk.inbox, 'done', reason), 'utf8')).toMatch(
      new RegExp(
        `^The same content was received on [0-9-]{10} as list\\.csv \\(run ${run.id}\\)\\. That run is not finished yet; nothing was done`,
      ),
    )
  })

  test('takes a copy for itself when the run with its content was refused', async () => {
    const desk = await openDesk()
    const run = await desk.taken('list.csv')
    await desk.taken('copy.csv')
    await rm(run.sourcePath)
    await desk.read(run)
    expect((await desk.app.ledger.findRun(run.id))?.state).toBe('refused')
    await desk.look()
    const [own] = await desk.app.ledger.listRuns()
    expect(own).toMatchObject({ sourceName: 'copy.csv', state: 'received' })
    expect(own?.notices[0]).toContain('It was refused.')
  })
})

describeWithRedis('two workers with one inbox', ({ url }) => {
  test('take each file once, and issue each person once', async () => {
    const inbox = await inboxFolder()
    const source = { inbox, schedule: '50ms', settle: '200ms' }
    await using world = await openWorld({ pipeline: { source, batch: { size: 10 } }, redisUrl: url })
    const tuning = { sweepMs: 50, lostAfterMs: 500, stopMs: 5_000 }
    await using second = await openApp(world.settings, {
      clock: systemClock,
      log: silentLog,
      random: () => 0.5,
      tuning,
    })
    const workers = await Promise.all([world.app, second].map((app) => startWorker(app, undefined, { inboxes: true })))
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker?.stop()))))
    const files = 10
    for (let n = 0; n < files; n++) await writeFile(join(inbox, `list-${n}.csv`), peopleCsv(3, 1 + 3 * n))
    const done = async () => (await readdir(join(inbox, 'done')).catch(() => [])).length
    await until('all files in done', async () => (await done()) === files || `${await done()} of ${files}`, {
      ms: 150_000,
    })
    expect((await readdir(inbox)).sort()).toEqual(['done', 'outbox', 'processing'])
    expect(await readdir(join(inbox, 'processing'))).toEqual([])
    expect(await world.app.ledger.listRuns(100)).toHaveLength(files)
    const times = timesIssued(world.sandbox)
    expect([times.size, ...new Set(times.values())]).toEqual([3 * files, 1])
    await Promise.all(workers.map((worker) => worker?.stop()))
  }, 180_000)
})
