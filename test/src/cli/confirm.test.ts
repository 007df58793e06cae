// The confirmation before a change, with streams instead of a terminal.

import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from '#src/cli/confirm.ts'
import { UsageError } from '#src/cli/exit-code.ts'

function terminal({ isTTY = true } = {}) {
  const controller = new AbortController()
  const stdin = Object.assign(new PassThrough(), { isTTY })
  return { stdin, stderr: new PassThrough(), signal: controller.signal, ending: controller }
}

describe('confirm', () => {
  test.each([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('treats the line "%s" as %s', async (line, expected) => {
    const cli = terminal()
    const agreed = confirm(cli, 'Change the course?', {})
    cli.stdin.write(`${line}\n`)
    expect(await agreed).toBe(expected)
    const shown = String(cli.stderr.read())
    expect(shown).toContain('Change the course? [y/N] ')
    expect(shown.includes('Nothing was changed.')).toBe(!expected)
  })

  test('treats the end of input and Ctrl-C as no', async () => {
    const ended = terminal()
    const atEnd = confirm(ended, 'Do it?', {})
    ended.stdin.end()
    const stopped = terminal()
    const atStop = confirm(stopped, 'Do it?', {})
    stopped.ending.abort('SIGINT')
    expect(await Promise.all([atEnd, atStop])).toEqual([false, false])
  })

  test('does not ask with --yes, and throws an error without a terminal', async () => {
    const cli = terminal({ isTTY: false })
    expect(await confirm(cli, 'Do it?', { yes: true })).toBe(true)
    expect(cli.stderr.read()).toBeNull()
    await expect(confirm(cli, 'Do it?', {})).rejects.toThrow(UsageError)
    const { stdin: _none, ...without } = cli
    await expect(confirm(without, 'Do it?', {})).rejects.toThrow(/--yes/)
  })
})
