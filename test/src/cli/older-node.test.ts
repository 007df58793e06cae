// jobs/credsync.mjs under an older Node: it starts the newer Node of the checkout, or says what is missing.

import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorkspace } from './cli-workspace.ts'
import { entryFile, type StartOptions, startProgram } from './start-program.ts'

const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1])
  return major >= 18 && major < 24
})

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-entry-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(args: readonly string[], more: Partial<StartOptions> = {}) {
  const running = startProgram(args, { cwd: tmpdir(), env: {}, node: oldNode ?? '', ...more })
  onTestFinished(() => running.stop())
  return running
}

// An old Node could not parse the program, so any answer proves that the newer one ran.
describe.skipIf(!oldNode)('the entry file under an older Node', () => {
  test('passes arguments and exit codes through', async () => {
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
  ] as const)('lets the program shut down normally when %s', async (_, to) => {
    const running = await start(['sandbox'])
    await running.waitForOutput('(cannot issue)')
    running.signal('SIGINT', to)
    const ended = await running.ended
    expect(ended.stderr).toContain('The sandbox has stopped.')
    expect(ended.code).toBe(0)
  })

  test.each([
    [
      'the checkout has no newer Node',
      'main.ts',
      /^Run `npm ci` in \S+, which installs Node 24 as a package, or install /,
    ],
    ['it is an installed package', 'main.js', /^Install Node 24 or newer, and run the command again\.\n$/],
  ])('says what to do if %s', async (_, main, next) => {
    const folder = await testFolder()
    await mkdir(join(folder, 'jobs'))
    const script = join(folder, 'jobs/credsync.mjs')
    await copyFile(entryFile, script)
    await writeFile(join(folder, 'jobs', main), '')
    const ended = await (await start(['--help'], { script })).ended
    const [, advice = ''] = /^credsync needs Node 24; this is Node \d+\.\d+\.\d+\. (.*\n)$/.exec(ended.stderr) ?? []
    expect(advice).toMatch(next)
    expect(ended.code).toBe(2)
  })
})

describeWithDatabase('the entry file under an older Node, with a running worker', () => {
  test.skipIf(!oldNode)('handles Ctrl-C once, although both processes receive it', async () => {
    const workspace = await openWorkspace()
    const running = await start(['start', '--config', 'credsync.yaml'], { cwd: workspace.folder, env: workspace.env })
    await running.waitForOutput('Ctrl-C stops it.')
    running.signal('SIGINT', 'group')
    const ended = await running.ended
    expect(ended.stderr).toContain('Stopped; no call was in progress.')
    expect(ended.code).toBe(0)
  })
})
