// Takes files from an inbox, turns them into runs and moves them to their final folders, with a real folder, a real
// ledger and a manual clock.

import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app/app.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { inboxFolder, openInboxBench } from '#test/support/inbox-bench.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued } from '#test/support/world.ts'

describeWithDatabase('an inbox', () => {
  test('turns each file into a run, and does not change its bytes', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    expect(run).toMatchObject({ state: 'received', pipeline: 'spring', sourceName: 'list.csv', notices: [] })
    expect(basename(run.sourcePath)).toMatch(/^2026-11-20T20-01-00Z\.[0-9a-f]{8}\.list\.csv$/)
    expect(await readFile(run.sourcePath, 'utf8')).toBe(peopleCsv(2))
    expect(bench.enqueued).toEqual(['intake'])
    expect(bench.logged).toEqual([['inbox.taken', { pipeline: 'spring', count: 1 }]])
    expect(await bench.inboxStatus()).toMatchObject({ files: 1, problem: null, missed: 0 })
    // Another scan finds nothing new.
    await bench.clock.advance(60_000)
    await bench.scan()
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
  })

  test('receives a file exactly once if the worker was killed between taking and receiving it', async () => {
    const bench = await openInboxBench()
    await bench.drop('list.csv')
    const [inbox] = bench.tools.inboxes.all
    await inbox?.scan()
    const taken = await inbox?.take('list.csv')
    await Promise.all([bench.scan(), bench.scan()])
    await bench.scan()
    const runs = await bench.app.ledger.runs.list()
    expect(runs.map((run) => [run.sourcePath, run.sourceName])).toEqual([[taken?.path, 'list.csv']])
    // If two workers receive the file, both get the same run.
    const source = {
      pipeline: 'spring',
      sourceName: 'list.csv',
      sourcePath: taken?.path ?? '',
      sourceSha256: 'other',
      runIdPrefix: null,
    }
    expect(await bench.app.ledger.inboxes.receive(source)).toEqual({ runId: runs[0]?.id, as: 'known', sentence: null })
  })

  test('is scanned again by the next job if a scan was interrupted', async () => {
    const bench = await openInboxBench()
    await bench.drop('list.csv')
    await bench.clock.advance(60_000)
    await bench.scan(AbortSignal.abort())
    expect(await bench.app.ledger.runs.list()).toEqual([])
    // No time has passed: a scan is due only because the interrupted one did not count.
    await bench.scan()
    expect(await bench.app.ledger.runs.list()).toMatchObject([{ sourceName: 'list.csv' }])
  })

  test('moves the file of a settled run to `done`, and records its path in the ledger', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    await bench.scan()
    expect(await bench.filesIn('processing')).toEqual([basename(run.sourcePath)])
    await bench.settle(run)
    await bench.scan()
    expect([await bench.filesIn('processing'), await bench.filesIn('done')]).toEqual([[], [basename(run.sourcePath)]])
    const now = await bench.app.ledger.runs.find(run.id)
    expect(now?.sourcePath).toBe(join(bench.inbox, 'done', basename(run.sourcePath)))
  })

  test('moves a file’s marker with it, so that the marker is never mistaken for a file of its own', async () => {
    const bench = await openInboxBench({ marker: '.done' })
    await bench.drop('list.csv.done', '')
    const run = await bench.dropAndScan('list.csv')
    await bench.drop('copy.csv.done', '')
    await bench.dropAndScan('copy.csv')
    expect(await bench.filesIn('processing')).toHaveLength(4)
    await bench.intake(run)
    await bench.scan()
    const taken = basename(run.sourcePath)
    expect(await bench.filesIn('processing')).toEqual([taken, `${taken}.done`])
    await bench.settle(run)
    await bench.scan()
    await bench.scan()
    expect(await bench.filesIn('processing')).toEqual([])
    expect(await bench.filesIn('done')).toEqual(expect.arrayContaining([taken, `${taken}.done`]))
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
  })

  test('recovers from a kill between moving a file and recording the move', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    await bench.settle(run)
    await mkdir(join(bench.inbox, 'done'))
    await rename(run.sourcePath, join(bench.inbox, 'done', basename(run.sourcePath)))
    await bench.scan()
    expect(await bench.app.ledger.inboxes.unfiled('spring')).toEqual([])
    expect((await bench.app.ledger.runs.find(run.id))?.sourcePath).toContain('/done/')
  })

  test('moves a file that grew after it was read to `refused`, and reports that the rest was not read', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    await bench.intake(run)
    await bench.settle(run)
    await appendFile(run.sourcePath, 'late@example.org,Ada,Late\n')
    await bench.scan()
    const [file = '', reason = ''] = await bench.filesIn('refused')
    expect(file).toBe(basename(run.sourcePath))
    expect(await readFile(join(bench.inbox, 'refused', reason), 'utf8')).toMatch(
      new RegExp(
        `^This file changed after it was taken.*were issued \\(run ${run.id}\\).*Drop it into the inbox again`,
      ),
    )
    // A kill between the move and its record changes nothing.
    await bench.app.database.query('UPDATE run SET filed_at = NULL, source_path = $2 WHERE id = $1', [
      run.id,
      run.sourcePath,
    ])
    await bench.scan()
    expect(await bench.filesIn('done')).toEqual([])
    expect((await bench.app.ledger.runs.find(run.id))?.sourcePath).toBe(join(bench.inbox, 'refused', file))
  })

  test('includes the beginning of the run id in the name of its file', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    expect(basename(run.sourcePath)).toContain(`.${run.id.slice(0, 8)}.list.csv`)
  })

  test('moves a refused file to `refused`, together with a file that states the reason', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv', 'e_mail,e_mail\nperson.1@example.org,b\n')
    await bench.intake(run)
    await bench.scan()
    expect(bench.logged.slice(1)).toEqual([
      ['run.refused', { run: run.id, pipeline: 'spring', error: 'SourceError' }],
      ['inbox.filed', { run: run.id, pipeline: 'spring', outcome: 'refused' }],
    ])
    const [file = '', reason = ''] = await bench.filesIn('refused')
    expect([file, reason]).toEqual([basename(run.sourcePath), `${basename(run.sourcePath)}.reason.txt`])
    const sentence = await readFile(join(bench.inbox, 'refused', reason), 'utf8')
    const refusal = (await bench.app.ledger.runs.find(run.id))?.refusal
    expect(sentence.startsWith(`${refusal}\n`)).toBe(true)
    expect(sentence).toMatch(/drop the file into the inbox again, with its marker if it needs one\. Settings.*\.\n$/)
    expect(sentence).not.toContain('person.1')
  })

  test.each([
    ['a pipe', 'This is a pipe or a device, not a file.'],
    ['2 GB', 'This is larger than any list'],
  ])('moves %s in `processing` to `refused`, with the reason, and takes the next file', async (what, words) => {
    const bench = await openInboxBench()
    const name = '2026-11-20T20-00-00Z.1a2b3c4d.list.csv'
    const path = join(bench.inbox, 'processing', name)
    await mkdir(join(bench.inbox, 'processing'))
    if (what === 'a pipe') execFileSync('mkfifo', [path])
    else {
      await writeFile(path, '')
      // This is a sparse file, which takes no space.
      await truncate(path, 2 * 1024 ** 3 + 1)
    }
    const run = await bench.dropAndScan('next.csv')
    expect(await bench.filesIn('refused')).toEqual([name, `${name}.reason.txt`])
    expect(await readFile(join(bench.inbox, 'refused', `${name}.reason.txt`), 'utf8')).toContain(words)
    expect(await bench.filesIn('processing')).toEqual([basename(run.sourcePath)])
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
    expect((await bench.inboxStatus())?.problem).toBeNull()
  })

  test('moves a refused file although a folder has the name of its reason file', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv', 'e_mail,e_mail\nperson.1@example.org,b\n')
    const reason = `${basename(run.sourcePath)}.reason.txt`
    await mkdir(join(bench.inbox, 'refused', reason), { recursive: true })
    await bench.intake(run)
    await bench.scan()
    expect((await bench.inboxStatus())?.problem).toBeNull()
    expect(await bench.filesIn('processing')).toEqual([])
    expect(await readFile(join(bench.inbox, 'refused', reason), 'utf8')).toContain('drop the file into the inbox again')
  })

  test('does not block another inbox if it cannot be used', async () => {
    const [unusable, usable] = [await inboxFolder(), await inboxFolder()]
    await symlink(tmpdir(), join(unusable, 'processing'))
    await using world = await openWorld({
      pipeline: { source: { inbox: unusable, schedule: '50ms', settle: '200ms' } },
      morePipelines: (first) => ({ other: { ...first, source: { inbox: usable, schedule: '50ms', settle: '200ms' } } }),
    })
    await writeFile(join(unusable, 'list.csv'), peopleCsv(2))
    await writeFile(join(usable, 'list.csv'), peopleCsv(3, 10))
    await using _worker = await startWorker(world.app, undefined, { inboxes: true })
    await until(
      'the other list to be issued',
      () => timesIssued(world.sandbox).size === 3 || `${timesIssued(world.sandbox).size}`,
    )
    await until('the fault of the first', async () => {
      const statuses = await world.app.ledger.inboxes.statuses()
      return statuses.some(({ pipeline, problem }) => pipeline === 'spring' && problem?.includes('is a link'))
    })
    expect((await readdir(unusable)).sort()).toEqual(['list.csv', 'processing'])
  })

  test('leaves the file of a run that the brake holds in `processing` until an operator has decided', async () => {
    const bench = await openInboxBench({}, { brake: { rows: 1 } })
    const run = await bench.dropAndScan('list.csv')
    await bench.intake(run)
    expect((await bench.app.ledger.runs.find(run.id))?.state).toBe('braked')
    expect(bench.logged.at(-1)).toEqual(['run.braked', { run: run.id, pipeline: 'spring', accepted: 2 }])
    await bench.scan()
    expect(await bench.filesIn('processing')).toEqual([basename(run.sourcePath)])
    // A copy of the file needs no separate decision.
    await bench.dropAndScan('copy.csv')
    expect(await bench.filesIn('processing')).toEqual([basename(run.sourcePath)])
    expect(await bench.filesIn('done')).toHaveLength(2)
    const page = async () => readFile(join(bench.inbox, 'outbox', (await bench.filesIn('outbox'))[0] ?? ''), 'utf8')
    expect(await page()).toContain(`credsync approve ${run.id}`)
    await bench.app.ledger.brake.reject(run.id, { by: 'registrar', why: 'the wrong list' })
    await bench.scan()
    expect(await bench.filesIn('refused')).toContain(basename(run.sourcePath))
    expect(await page()).toMatch(/The run was refused, and nothing is issued\. .*registrar/)
    expect(await page()).not.toContain('credsync approve')
  })

  test('takes the same content again as a separate run, whose notices name the first', async () => {
    const bench = await openInboxBench()
    const first = await bench.dropAndScan('list.csv')
    await bench.intake(first)
    await bench.settle(first)
    const second = await bench.dropAndScan('again.csv')
    expect(second.id).not.toBe(first.id)
    await bench.intake(second)
    const read = await bench.app.ledger.runs.find(second.id)
    expect(read).toMatchObject({ state: 'published', rows: 2, skipped: 2, accepted: 0 })
    const day = first.receivedAt.toISOString().slice(0, 10)
    expect(read?.notices).toContain(`The same content was received on ${day} as list.csv (run ${first.id}).`)
  })

  test('keeps a copy until the run with the same content has been read, and then moves it, so that no run has two files', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    await bench.dropAndScan('copy.csv')
    expect(await bench.filesIn('processing')).toHaveLength(2)
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
    // The command `issue` with the same content does not change the file of the run either.
    const elsewhere = await bench.receive('elsewhere.csv', peopleCsv(2))
    expect(elsewhere).toBe(run.id)
    expect((await bench.app.ledger.runs.find(run.id))?.sourcePath).toBe(run.sourcePath)

    await bench.intake(run)
    await bench.scan()
    expect(await bench.filesIn('processing')).toEqual([basename(run.sourcePath)])
    expect(bench.logged.at(-1)).toEqual(['inbox.copy', { pipeline: 'spring', run: run.id }])
    const [copy = '', reason = ''] = await bench.filesIn('done')
    expect(copy).toMatch(/\.copy\.csv$/)
    expect(await readFile(join(bench.inbox, 'done', reason), 'utf8')).toMatch(
      new RegExp(
        `^The same content was received on [0-9-]{10} as list\\.csv \\(run ${run.id}\\)\\. That run is not finished yet; this copy is ignored`,
      ),
    )
  })

  test('takes a copy as a new run if the run with its content was refused', async () => {
    const bench = await openInboxBench()
    const run = await bench.dropAndScan('list.csv')
    await bench.dropAndScan('copy.csv')
    await rm(run.sourcePath)
    await bench.intake(run)
    expect((await bench.app.ledger.runs.find(run.id))?.state).toBe('refused')
    await bench.scan()
    const [newRun] = await bench.app.ledger.runs.list()
    expect(newRun).toMatchObject({ sourceName: 'copy.csv', state: 'received' })
    expect(newRun?.notices[0]).toContain('It was refused.')
  })
})

describeWithRedis('two workers with one inbox', ({ url }) => {
  test('take each file once, and issue exactly one credential to each person', async () => {
    const inbox = await inboxFolder()
    const source = { inbox, schedule: '50ms', settle: '200ms' }
    await using world = await openWorld({ pipeline: { source, batch: { size: 10 } }, redisUrl: url })
    const tuning = { sweepMs: 200, lostAfterMs: 500, stopMs: 5_000 }
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
    await until('all files in done', async () => (await done()) === files || `${await done()} of ${files}`)
    expect((await readdir(inbox)).sort()).toEqual(['done', 'outbox', 'processing'])
    expect(await readdir(join(inbox, 'processing'))).toEqual([])
    expect(await world.app.ledger.runs.list(100)).toHaveLength(files)
    const times = timesIssued(world.sandbox)
    expect([times.size, ...new Set(times.values())]).toEqual([3 * files, 1])
    await Promise.all(workers.map((worker) => worker?.stop()))
  })
})
