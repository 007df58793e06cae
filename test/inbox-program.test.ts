// `credsync start` with an inbox: files that another process drops, also slowly; the worker killed in the middle and started again.

import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlace, type Place } from './src/cli/place.ts'
import { describeWithDatabase } from './support/database.ts'
import { until } from './support/until.ts'
import { timesIssued } from './support/world.ts'

const start = ['start', '--config', 'credsync.yaml']
const ready = 'Ctrl-C stops it.'
const rows = 150

/** Writes lists of people in ten steps, pausing for `pauseMs` between them, in a process of its own. */
function dropFiles(folder: string, files: readonly string[], pauseMs: number): Promise<number | null> {
  const script = `
    const { appendFileSync } = require('node:fs')
    const { setTimeout: sleep } = require('node:timers/promises')
    const [folder, files, pauseMs, rows] = JSON.parse(process.argv[1])
    ;(async () => {
      for (const [index, file] of files.entries()) appendFileSync(folder + '/' + file, 'e_mail,First Name,Last Name\\n')
      for (let row = 0; row < rows; row++) {
        for (const file of files) appendFileSync(folder + '/' + file, file + '.' + row + '@example.org,Ada' + row + ',Lovelace\\n')
        if (row % (rows / 10) === 0) await sleep(pauseMs)
      }
    })()`
  const child = spawn(process.execPath, ['-e', script, JSON.stringify([folder, files, pauseMs, rows])])
  return new Promise((resolve) => child.on('close', resolve))
}

const graces = {
  reconcile: { every: '100ms', slowest: '500ms', grace: '1s', refusedGrace: '200ms' },
  invitations: { canary: false, pause: '300ms', deadline: '5s' },
}

async function openInboxPlace(): Promise<Place & { inbox: string; in(folder: string): Promise<string[]> }> {
  const source = { inbox: './inbox', schedule: '100ms', settle: '1s' }
  const place = await openPlace({ pipeline: { source, batch: { size: 10 } }, file: graces })
  const inbox = join(place.folder, 'inbox')
  return { ...place, inbox, in: async (folder) => (await readdir(join(inbox, folder)).catch(() => [])).sort() }
}

describeWithDatabase('credsync start with an inbox', () => {
  test('issues each person once of files dropped by another process, though it is killed in the middle', async () => {
    const place = await openInboxPlace()
    await mkdir(place.inbox)
    const first = place.start(start)
    await first.said(ready)
    const quick = dropFiles(place.inbox, ['one.csv', 'two.csv'], 0)
    // Its writer pauses, but never for as long as a file needs to settle.
    const slow = dropFiles(place.inbox, ['slow.csv'], 400)
    await until('the first batches', () => place.sandbox.journal().invitesAccepted >= 5)
    first.signal('SIGKILL', 'group')
    await first.ended
    expect(await place.in('processing')).not.toEqual([])

    const second = place.start(start)
    await second.said(ready)
    expect([await quick, await slow]).toEqual([0, 0])
    await until('all files in done', async () => {
      const done = await place.in('done')
      return done.length === 3 || done.join(', ')
    })
    expect((await readdir(place.inbox)).sort()).toEqual(['done', 'outbox', 'processing'])
    expect(await place.in('processing')).toEqual([])
    const times = timesIssued(place.sandbox)
    expect([times.size, ...new Set(times.values())]).toEqual([3 * rows, 1])

    const told = await place.in('outbox')
    const results = told.filter((name) => name.endsWith('.results.csv'))
    expect(told.filter((name) => name.endsWith('.summary.txt'))).toHaveLength(3)
    expect(results.map((name) => name.split('.')[0]).sort()).toEqual(['one', 'slow', 'two'])
    for (const name of results) {
      const lines = (await readFile(join(place.inbox, 'outbox', name), 'utf8')).trim().split('\n')
      expect(lines.filter((line) => line.includes(',issued,'))).toHaveLength(rows)
    }
    // What was written is what lies there now, byte for byte.
    const slowFile = (await place.in('done')).find((name) => name.endsWith('.slow.csv')) ?? ''
    const lines = (await readFile(join(place.inbox, 'done', slowFile), 'utf8')).trimEnd().split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([rows + 1, `slow.csv.${rows - 1}@example.org,Ada${rows - 1},Lovelace`])

    const status = await place.run(['status'])
    expect(status.stdout).toMatch(/^inbox spring: looked at .*; \d files? taken at .* UTC$/m)
    second.signal('SIGTERM')
    const ended = await second.ended
    expect(ended.stderr).not.toContain('@example.org')
    expect(ended.code).toBe(0)
  }, 180_000)

  test('does not begin with an inbox that is not there, and check says the same', async () => {
    const place = await openInboxPlace()
    const refused = await place.run(start)
    expect(refused.stderr).toContain('inbox spring: ')
    expect(refused.stderr).toContain('is not there. Make it, or correct source.inbox')
    expect(refused.code).toBe(2)
    const check = ['check', '--config', 'credsync.yaml']
    const fault = await place.run(check)
    expect(fault.stdout).toMatch(/^FAULT {2}inbox spring: .* is not there/m)
    expect(fault.code).toBe(2)
    await mkdir(place.inbox)
    const well = await place.run(check)
    expect(well.stdout).toMatch(/^ok {5}inbox spring: .* can be read and written, .* every 100ms$/m)
    expect(well.code).toBe(0)
    // It only looks.
    expect(await readdir(place.inbox)).toEqual([])
  })

  test('is what takes files: issue takes the one that it names', async () => {
    const place = await openInboxPlace()
    await mkdir(place.inbox)
    await dropFiles(place.inbox, ['waiting.csv'], 0)
    const named = `e_mail,First Name,Last Name\nperson@example.org,Ada,Lovelace\n`
    const file = await place.write('named.csv', named)
    const args = ['issue', file, '--pipeline', 'spring', '--config', 'credsync.yaml', '--wait']
    expect((await place.run(args)).code).toBe(0)
    expect(await readdir(place.inbox)).toEqual(['waiting.csv'])
    expect(timesIssued(place.sandbox).size).toBe(1)
  })
})
