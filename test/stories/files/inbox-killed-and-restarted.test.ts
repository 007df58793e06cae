// Runs `credsync start` with an inbox, and kills and restarts it while another process drops files, some of them
// slowly.

import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '#test/src/cli/cli-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { timesIssued } from '#test/support/world.ts'

const start = ['start', '--config', 'credsync.yaml']
const ready = 'Ctrl-C stops it.'
const rows = 150

/** Starts a process that writes lists of people in ten steps, with a pause of `pauseMs` between the steps. */
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

const shortWaits = {
  reconcile: { every: '100ms', slowest: '500ms', grace: '1s', refusedGrace: '200ms' },
  invitations: { canary: false, pause: '300ms', deadline: '5s' },
}

async function openInboxWorkspace(): Promise<Workspace & { inbox: string; in(folder: string): Promise<string[]> }> {
  const source = { inbox: './inbox', schedule: '100ms', settle: '1s' }
  const workspace = await openWorkspace({ pipeline: { source, batch: { size: 10 } }, file: shortWaits })
  const inbox = join(workspace.folder, 'inbox')
  return { ...workspace, inbox, in: async (folder) => (await readdir(join(inbox, folder)).catch(() => [])).sort() }
}

describeWithDatabase('credsync start with an inbox', () => {
  test('issues exactly one credential to each person in files that another process drops, although it is killed in the middle', async () => {
    const workspace = await openInboxWorkspace()
    await mkdir(workspace.inbox)
    const first = workspace.start(start)
    await first.waitForOutput(ready)
    const quick = dropFiles(workspace.inbox, ['one.csv', 'two.csv'], 0)
    // The writer pauses, but always for less than the settling time of a file.
    const slow = dropFiles(workspace.inbox, ['slow.csv'], 400)
    await until('the first batches', () => workspace.sandbox.journal().invitesAccepted >= 5)
    first.signal('SIGKILL', 'group')
    await first.ended
    expect(await workspace.in('processing')).not.toEqual([])

    const second = workspace.start(start)
    await second.waitForOutput(ready)
    expect([await quick, await slow]).toEqual([0, 0])
    await until('all files in done', async () => {
      const done = await workspace.in('done')
      return done.length === 3 || done.join(', ')
    })
    expect((await readdir(workspace.inbox)).sort()).toEqual(['done', 'outbox', 'processing'])
    expect(await workspace.in('processing')).toEqual([])
    const times = timesIssued(workspace.sandbox)
    expect([times.size, ...new Set(times.values())]).toEqual([3 * rows, 1])

    const outbox = await workspace.in('outbox')
    const results = outbox.filter((name) => name.endsWith('.results.csv'))
    expect(outbox.filter((name) => name.endsWith('.summary.txt'))).toHaveLength(3)
    expect(results.map((name) => name.split('.')[0]).sort()).toEqual(['one', 'slow', 'two'])
    for (const name of results) {
      const lines = (await readFile(join(workspace.inbox, 'outbox', name), 'utf8')).trim().split('\n')
      expect(lines.filter((line) => line.includes(',issued,'))).toHaveLength(rows)
    }
    // All written bytes arrived unchanged.
    const slowFile = (await workspace.in('done')).find((name) => name.endsWith('.slow.csv')) ?? ''
    const lines = (await readFile(join(workspace.inbox, 'done', slowFile), 'utf8')).trimEnd().split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([rows + 1, `slow.csv.${rows - 1}@example.org,Ada${rows - 1},Lovelace`])

    const status = await workspace.run(['status'])
    expect(status.stdout).toMatch(/^inbox spring: scanned at .*; \d files? taken at .* UTC$/m)
    second.signal('SIGTERM')
    const ended = await second.ended
    expect(ended.stderr).not.toContain('@example.org')
    expect(ended.code).toBe(0)
  })

  test('does not start with a missing inbox, and check reports the same', async () => {
    const workspace = await openInboxWorkspace()
    const refused = await workspace.run(start)
    expect(refused.stderr).toContain('inbox spring: ')
    expect(refused.stderr).toContain('does not exist. Create it, or correct source.inbox')
    expect(refused.code).toBe(2)
    const check = ['check', '--config', 'credsync.yaml']
    const fault = await workspace.run(check)
    expect(fault.stdout).toMatch(/^FAULT {2}inbox spring: .* does not exist/m)
    expect(fault.code).toBe(2)
    await mkdir(workspace.inbox)
    const passed = await workspace.run(check)
    expect(passed.stdout).toMatch(/^ok {5}inbox spring: .* can be read and written, .* every 100ms$/m)
    expect(passed.code).toBe(0)
    // The check has created nothing.
    expect(await readdir(workspace.inbox)).toEqual([])
  })

  test('starts although a sub-folder of the inbox is a link, and reports that nothing is taken from the inbox', async () => {
    const workspace = await openInboxWorkspace()
    await mkdir(workspace.inbox)
    await symlink(tmpdir(), join(workspace.inbox, 'processing'))
    const running = workspace.start(start)
    await running.waitForOutput(
      /inbox spring: .*processing is .* No files are taken from that inbox until the problem is fixed\./,
    )
    await running.waitForOutput(/credsync is running for development/)
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(0)
  })

  test('takes the files of its inbox, while issue takes only the file that it names', async () => {
    const workspace = await openInboxWorkspace()
    await mkdir(workspace.inbox)
    await dropFiles(workspace.inbox, ['waiting.csv'], 0)
    const list = `e_mail,First Name,Last Name\nperson@example.org,Ada,Lovelace\n`
    const file = await workspace.write('named.csv', list)
    const args = ['issue', file, '--pipeline', 'spring', '--config', 'credsync.yaml', '--wait']
    expect((await workspace.run(args)).code).toBe(0)
    expect(await readdir(workspace.inbox)).toEqual(['waiting.csv'])
    expect(timesIssued(workspace.sandbox).size).toBe(1)
  })
})
