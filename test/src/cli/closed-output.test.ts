// What becomes of the program when nobody takes its output: `credsync report | head -1`, or a full disk.

import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type AtHand, openAtHand } from './in-process.ts'
import { door } from './program.ts'

interface Ended {
  code: number | null
  stderr: string
}

function run(args: readonly string[], stdout: 'closed' | number, place: Partial<AtHand> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [door, ...args], {
    cwd: place.folder ?? tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...place.env },
    stdio: ['ignore', stdout === 'closed' ? 'pipe' : stdout, 'pipe'],
  })
  // Long before the program can write a word.
  child.stdout?.destroy()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })))
}

test('a reader that has seen enough is no fault: the command ends quietly, with the code that it has', async () => {
  const hand = await openAtHand()
  const [courses, list, help, refused] = await Promise.all([
    // These still have their connections to close when the fault of the pipe comes.
    run(['courses', 'list', '--config', 'credsync.yaml'], 'closed', hand),
    run(['lists', 'languages', '--config', 'credsync.yaml'], 'closed', hand),
    run(['--help'], 'closed'),
    run(['status', '--json', '--config', 'there-is-none.yaml'], 'closed'),
  ])
  expect([courses, list]).toEqual(Array(2).fill({ code: 0, stderr: '' }))
  expect(help).toEqual({ code: 0, stderr: '' })
  expect(refused.code).toBe(2)
  expect(refused.stderr).not.toMatch(/EPIPE| at /)
})

test.runIf(process.platform === 'linux')('results that a full disk swallows are said to be lost', async () => {
  const { code, stderr } = await run(['--help'], openSync('/dev/full', 'w'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The results could not be written to stdout \(ENOSPC\)/)
  expect(stderr).not.toMatch(/\n\s+at /)
})
