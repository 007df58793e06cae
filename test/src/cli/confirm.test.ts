// The word that is asked for before something changes, at a terminal made of streams.

import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from '#src/cli/confirm.ts'
import { UsageError } from '#src/cli/exit-code.ts'

function terminal({ isTTY = true } = {}) {
  const ending = new AbortController()
  const stdin = Object.assign(new PassThrough(), { isTTY })
  return { stdin, stderr: new PassThrough(), signal: ending.signal, ending }
}

describe('confirm', () => {
  test.each([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('takes the line "%s" as %s', async (line, expected) => {
    const cli = terminal()
    const said = confirm(cli, 'Change the course?', {})
    cli.stdin.write(`${line}\n`)
    expect(await said).toBe(expected)
    const shown = String(cli.stderr.read())
    expect(shown).toContain('Change the course? [y/N] ')
    expect(shown.includes('Nothing was changed.')).toBe(!expected)
  })

  test('takes the end of the input, and Ctrl-C, as no', async () => {
    const ended = terminal()
    const atEnd = confirm(ended, 'Do it?', {})
    ended.stdin.end()
    const stopped = terminal()
    const atStop = confirm(stopped, 'Do it?', {})
    stopped.ending.abort('SIGINT')
    expect(await Promise.all([atEnd, atStop])).toEqual([false, false])
  })

  test('asks nobody with --yes, and refuses where nobody can be asked', async () => {
    const cli = terminal({ isTTY: false })
    expect(await confirm(cli, 'Do it?', { yes: true })).toBe(true)
    expect(cli.stderr.read()).toBeNull()
    await expect(confirm(cli, 'Do it?', {})).rejects.toThrow(UsageError)
    const { stdin: _none, ...without } = cli
    await expect(confirm(without, 'Do it?', {})).rejects.toThrow(/--yes/)
  })
})
