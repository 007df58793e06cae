// Unhandled errors of the process are logged without their messages, and no signal opens the debugger.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '#test/src/cli/start-program.ts'

/** Starts a sandbox with code that runs `failing` when the process gets SIGUSR2. */
async function startWith(failing: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'process-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const path = join(cwd, 'failing.mjs')
  await writeFile(path, `process.on('SIGUSR2', () => { ${failing} })`)
  const program = startProgram(['sandbox', '--port', '0'], { cwd, env: { NODE_OPTIONS: `--import ${path}` } })
  onTestFinished(() => program.stop())
  await program.waitForOutput(/http:\/\//)
  return program
}

test.each([
  ['an exception', `throw Object.assign(new TypeError('planted ada@example.org'), { code: 'E_PLANTED_CODE' })`],
  ['a rejected promise', `Promise.reject(Object.assign(new TypeError('planted'), { code: 'E_PLANTED_CODE' }))`],
  ['a promise that is rejected with a string', `Promise.reject('planted')`],
])('%s that is not handled exits with 1 and prints class and code of the error', async (_, failing) => {
  const program = await startWith(failing)
  program.signal('SIGUSR2')
  const { code, stderr, stdout } = await program.ended
  expect(code).toBe(1)
  expect(stderr).toContain('"event":"process.failed"')
  expect(stderr).toMatch(
    /"error":"(TypeError \(E_PLANTED_CODE\)|UnhandledPromiseRejection \(ERR_UNHANDLED_REJECTION\))"/,
  )
  expect(stderr + stdout).not.toContain('planted')
})

test('SIGUSR1 does not open the debugger or end the process', async () => {
  const program = await startWith('console.error("still here")')
  program.signal('SIGUSR1')
  program.signal('SIGUSR2')
  await program.waitForOutput('still here')
  program.signal('SIGTERM')
  const { stderr } = await program.ended
  expect(stderr).not.toMatch(/debugger/i)
})
