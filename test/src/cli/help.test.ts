// What the command line says about itself, and to a slip of the pen. In-process, for nothing is opened.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { say, sayIn } from './say.ts'

/** The commands and options that scripts rely on. */
const contract: Record<string, string[]> = {
  revoke: ['<ids...>', '--reason <text>', '--by <name>', '--yes', '--json', '--config <path>'],
  correct: [
    '[who]',
    '--set',
    '--from-row',
    '--wait',
    '--reason <text>',
    '--by <name>',
    '--yes',
    '--json',
    '--config <path>',
  ],
  demo: ['--lms', '--json'],
  issue: [
    '<file>',
    '--pipeline <name>',
    '(required)',
    '--dry-run',
    '--wait',
    '--timeout <duration>',
    '--json',
    '--config <path>',
  ],
  start: ['--only <parts>', '--config <path>', 'intake,issue,reconcile,write-back,archive,sweep,web'],
  check: ['--json', '--config <path>'],
  status: ['--run <id>', '--json'],
  explain: ['<who>', '--json'],
  reconcile: ['--once', '--json', '--config <path>'],
  approve: ['<run>', '--reason <text>', '--by <name>', '--json', '--config <path>'],
  reject: ['<run>', '--reason <text>', '--by <name>', '--json', '--config <path>'],
  courses: ['list', 'show', 'create', 'update', 'enable', 'disable', 'remove-logo'],
  lists: [
    '<list>',
    'mail-templates',
    '--search <text>',
    '--course <course>',
    '--certification-body <body>',
    '--json',
    '--config <path>',
    'currencies name or code',
  ],
  fields: ['<course>', '--template <format>', '--to <file>', '--force', '--json', '--config <path>'],
  sample: ['<what>', '<course>', '--to <file>', '--force', '--config <path>'],
  report: [
    '--certificate <name>',
    '--name <name>',
    '--status <status>',
    '--email <address>',
    '--contact <number>',
    '--batch <name>',
    '--credential-id <id>',
    '--reg-no <text>',
    '--uid <text>',
    '--cert-no <text>',
    '--unique-no <text>',
    '--membership-id <text>',
    '--requested <range>',
    '--issued <range>',
    '--valid-till <date>',
    '--limit <n>',
    '--json',
    '--config <path>',
  ],
  events: ['list', 'show', 'replay', 'tell'],
  sandbox: ['--port <n>', 'reject.', 'fail.'],
}

describe('--help', () => {
  test('lists every command, the exit codes and the environment', async () => {
    const { code, stdout, stderr } = await say('--help')
    for (const name of Object.keys(contract)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    for (const exit of [
      /\b0 all is well/,
      /\b1 a fault/,
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

  test.each(Object.entries(contract))('of %s mentions all that it takes', async (name, options) => {
    const { code, stdout, stderr } = await say(name, '--help')
    const plain = stdout.replace(/\s+/g, ' ')
    for (const option of options) expect(plain).toContain(option)
    expect([code, stderr]).toEqual([0, ''])
  })

  test('mentions no option that is not in the list above', async () => {
    for (const [name, options] of Object.entries(contract)) {
      const { stdout } = await say(name, '--help')
      const shown = [...stdout.matchAll(/^ {2}(--[a-z-]+(?: <[a-z]+>)?)/gm)].map((match) => match[1])
      expect(shown.sort()).toEqual(options.filter((option) => option.startsWith('--')).sort())
    }
  })
})

describe('--version', () => {
  test('is that of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await say('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('a slip of the pen', () => {
  test('in a command is answered with 2 and what may have been meant', async () => {
    const { code, stdout, stderr } = await say('chekc', '--json')
    expect(stderr).toContain("unknown command 'chekc'")
    expect(stderr).toContain('Did you mean check?')
    expect([code, stdout]).toEqual([2, ''])
  })

  test('in an option is answered with 2 and what may have been meant', async () => {
    const { code, stderr } = await say('issue', 'people.csv', '--pipeline', 'spring', '--dry-rum')
    expect(stderr).toContain("unknown option '--dry-rum'")
    expect(stderr).toContain('Did you mean --dry-run?')
    expect(code).toBe(2)
  })

  test.each([
    ['no command at all', []],
    ['issue without a file', ['issue', '--pipeline', 'spring']],
    ['issue without a pipeline', ['issue', 'people.csv']],
    ['one argument too many', ['status', 'extra']],
    ['explain without whom', ['explain']],
    ['a port that is none', ['sandbox', '--port', '70000']],
    ['--only with a part that there is not', ['start', '--only', 'isue']],
  ])('%s is answered with 2 and a sentence', async (_, argv) => {
    const { code, stdout, stderr } = await say(...argv)
    expect(stderr).not.toBe('')
    expect(stderr).not.toContain('inside credsync')
    expect([code, stdout]).toEqual([2, ''])
  })

  test('in the environment is answered with 2, every fault, and one JSON document where that was asked for', async () => {
    const { code, stdout, stderr } = await say('reconcile', '--json')
    for (const where of ['CREDSYNC_BASE_URL', 'CREDSYNC_KEY', 'CREDSYNC_SECRET', '/nowhere/config/credsync.yaml'])
      expect(stderr).toContain(`  - ${where}: `)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 2, name: 'SettingsError', message: stderr.trim() } })
    expect(code).toBe(2)
  })
})

describe('a fault', () => {
  test('that is not ours to word is told by its kind, code and place, never by its text', async () => {
    const foreign = Object.assign(new TypeError('planted: person@example.org'), { code: 'E_ODD' })
    const env = {
      get DATABASE_URL(): string {
        throw foreign
      },
    }
    const check = await sayIn(env, 'check')
    const json = await sayIn(env, 'status', '--json')
    expect(json.stderr).toContain('Something failed inside credsync (TypeError, E_ODD).')
    expect(json.stderr).toMatch(/^\s+at .*help\.test\.ts:\d+/m)
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 1, name: 'TypeError' })
    expect(json.code).toBe(1)
    for (const { stdout, stderr } of [check, json]) expect(stdout + stderr).not.toContain('planted')
    expect(check.code).toBe(1)
  })

  test('of a port that is taken is a sentence, not a fault of ours', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const { code, stderr } = await say('sandbox', '--port', String(port))
    expect(stderr).toBe(
      `Port ${port} cannot be had (EADDRINUSE). Choose another one, or leave --port out to take any free one.\n`,
    )
    expect(code).toBe(2)
  })
})
