// jobs/credsync.mjs under an older Node: it hands over to the Node that the checkout carries, or says what is missing.

import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openPlace } from './place.ts'
import { door, type StartOptions, startProgram } from './program.ts'

const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1])
  return major >= 18 && major < 24
})

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-door-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(args: readonly string[], more: Partial<StartOptions> = {}) {
  const running = startProgram(args, { cwd: tmpdir(), env: {}, node: oldNode ?? '', ...more })
  onTestFinished(() => running.stop())
  return running
}

// An old Node could not read a line of what lies behind the door, so an answer is proof of the handing over.
describe.skipIf(!oldNode)('the door under an older Node', () => {
  test('hands arguments over and exit codes back', async () => {
    const [help, unknown] = await Promise.all([
      (await start(['--help'])).ended,
      (await start(['isue', '--json'])).ended,
    ])
    expect(help.stdout).toContain('Usage: credsync')
    expect(help.code).toBe(0)
    expect(unknown.stderr).toContain('Did you mean issue?')
    expect(unknown.code).toBe(2)
  })

  test.each([
    ['a supervisor stops it alone', undefined],
    ['a terminal stops both processes', 'group'],
  ] as const)('lets the program end in order when %s', async (_, to) => {
    const running = await start(['sandbox'])
    await running.said('(cannot issue)')
    running.signal('SIGINT', to)
    const ended = await running.ended
    expect(ended.stderr).toContain('The sandbox ends.')
    expect(ended.code).toBe(0)
  })

  test('says what to do when no newer Node is carried', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, 'jobs'))
    const script = join(folder, 'jobs/credsync.mjs')
    await copyFile(door, script)
    const ended = await (await start(['--help'], { script })).ended
    expect(ended.stderr).toMatch(/^credsync needs Node 24; this is Node \d+\.\d+\.\d+\. Run `npm ci` in .*\n$/)
    expect(ended.code).toBe(2)
  })
})

describeWithDatabase('the door under an older Node, with a worker behind it', () => {
  test.skipIf(!oldNode)('takes one Ctrl-C of a terminal for one, though it arrives twice', async () => {
    const place = await openPlace()
    const running = await start(['start', '--config', 'credsync.yaml'], { cwd: place.folder, env: place.env })
    await running.said('Ctrl-C stops it.')
    running.signal('SIGINT', 'group')
    const ended = await running.ended
    expect(ended.stderr).toContain('Stopped; no call was left under way.')
    expect(ended.code).toBe(0)
  })
})
