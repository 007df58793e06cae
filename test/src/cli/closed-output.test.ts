// The program's behavior when its output cannot be written: `credsync report | head -1`, or a full disk.

import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type CliSetup, openCliSetup } from './cli-setup.ts'
import { entryFile } from './start-program.ts'

interface Ended {
  code: number | null
  stderr: string
}

function run(args: readonly string[], stdout: 'closed' | number, workspace: Partial<CliSetup> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [entryFile, ...args], {
    cwd: workspace.folder ?? tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...workspace.env },
    stdio: ['ignore', stdout === 'closed' ? 'pipe' : stdout, 'pipe'],
  })
  // Closed long before the program can write anything.
  child.stdout?.destroy()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })))
}

test('a reader that closes early is not an error: the command ends silently with its normal exit code', async () => {
  const setup = await openCliSetup()
  const [courses, list, help, refused] = await Promise.all([
    // The first two commands still have connections to close when the pipe fails.
    run(['courses', 'list', '--config', 'credsync.yaml'], 'closed', setup),
    run(['lists', 'languages', '--config', 'credsync.yaml'], 'closed', setup),
    run(['--help'], 'closed'),
    run(['reconcile', '--json', '--config', 'there-is-none.yaml'], 'closed'),
  ])
  expect([courses, list]).toEqual(Array(2).fill({ code: 0, stderr: '' }))
  expect(help).toEqual({ code: 0, stderr: '' })
  expect(refused.code).toBe(2)
  expect(refused.stderr).not.toMatch(/EPIPE| at /)
})

test.runIf(process.platform === 'linux')('results that cannot be written to a full disk are reported', async () => {
  const { code, stderr } = await run(['--help'], openSync('/dev/full', 'w'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The results could not be written to stdout \(ENOSPC\)/)
  expect(stderr).not.toMatch(/\n\s+at /)
})
