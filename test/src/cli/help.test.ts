// The help of the command line, and its responses to typing errors. Runs in this process, because no command opens
// anything.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runWithEnv, runWithoutConfig } from './run-without-config.ts'

describe('--help', () => {
  test('lists commands of every group, the exit codes and the environment', async () => {
    const { code, stdout, stderr } = await runWithoutConfig('--help')
    for (const name of [
      'issue',
      'held',
      'adopt',
      'forget',
      'events',
      'notices',
      'console',
      'lists',
      'courses',
      'demo',
      'probe',
    ])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    for (const exit of [
      /\b0 success/,
      /\b1 internal error/,
      /\b2 usage/,
      /\b3 finished/,
      /\b4 the service/,
      /\b5 the timeout/,
      /\b130 /,
    ])
      expect(stdout).toMatch(exit)
    for (const name of ['CREDSYNC_BASE_URL', 'DATABASE_URL', 'REDIS_URL', 'CREDSYNC_DATA_DIR', 'CREDSYNC_LOG_LEVEL'])
      expect(stdout).toContain(name)
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe('--version', () => {
  test('is the package’s version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await runWithoutConfig('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('a typing error', () => {
  test('in a command leads to exit code 2 and a suggestion', async () => {
    const { code, stdout, stderr } = await runWithoutConfig('chekc', '--json')
    expect(stderr).toContain("unknown command 'chekc'")
    expect(stderr).toContain('Did you mean check?')
    expect([code, stdout]).toEqual([2, ''])
  })

  test('in an option leads to exit code 2 and a suggestion', async () => {
    const { code, stderr } = await runWithoutConfig('issue', 'people.csv', '--pipeline', 'spring', '--dry-rum')
    expect(stderr).toContain("unknown option '--dry-rum'")
    expect(stderr).toContain('Did you mean --dry-run?')
    expect(code).toBe(2)
  })

  test.each([
    ['no command', []],
    ['issue without a file', ['issue', '--pipeline', 'spring']],
    ['issue without a pipeline', ['issue', 'people.csv']],
    ['one argument too many', ['status', 'extra']],
    ['explain without a recipient', ['explain']],
    ['an invalid port', ['sandbox', '--port', '70000']],
    ['--only with an unknown part', ['start', '--only', 'isue']],
  ])('%s leads to exit code 2 and a message', async (_, argv) => {
    const { code, stdout, stderr } = await runWithoutConfig(...argv)
    expect(stderr).not.toBe('')
    expect(stderr).not.toContain('inside credsync')
    expect([code, stdout]).toEqual([2, ''])
  })

  test('in the environment leads to exit code 2 with every fault, as one JSON document with --json', async () => {
    const { code, stdout, stderr } = await runWithoutConfig('reconcile', '--json')
    for (const where of ['CREDSYNC_BASE_URL', 'CREDSYNC_KEY', 'CREDSYNC_SECRET', '/nowhere/config/credsync.yaml'])
      expect(stderr).toContain(`  - ${where}: `)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 2, name: 'SettingsError', message: stderr.trim() } })
    expect(code).toBe(2)
  })
})

describe('an error', () => {
  test('from outside credsync is shown by its name, code and stack frames, never by its message', async () => {
    const foreign = Object.assign(new TypeError('planted: person@example.org'), { code: 'E_ODD' })
    const env = {
      get DATABASE_URL(): string {
        throw foreign
      },
    }
    const check = await runWithEnv(env, 'check')
    const json = await runWithEnv(env, 'status', '--json')
    expect(json.stderr).toContain('Something failed inside credsync (TypeError, E_ODD).')
    expect(json.stderr).toMatch(/^\s+at .*help\.test\.ts:\d+/m)
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 1, name: 'TypeError' })
    expect(json.code).toBe(1)
    for (const { stdout, stderr } of [check, json]) expect(stdout + stderr).not.toContain('planted')
    expect(check.code).toBe(1)
  })

  test('about a port in use is a plain message, not an internal error', async () => {
    const serverOnPort = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void serverOnPort.close())
    await new Promise((resolve) => serverOnPort.once('listening', resolve))
    const { port } = serverOnPort.address() as { port: number }
    const { code, stderr } = await runWithoutConfig('sandbox', '--port', String(port))
    expect(stderr).toBe(
      `Port ${port} is not available (EADDRINUSE). Choose another one, or leave out --port to use any free one.\n`,
    )
    expect(code).toBe(2)
  })
})
