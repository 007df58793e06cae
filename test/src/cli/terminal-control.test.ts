// Text from the service or from a file cannot control the terminal or forge a line of output.

import { expect, test } from 'vitest'
import { print, printJson, say } from '#src/cli/cli-context.ts'
import { indentedLine, terminalSafeText } from '#src/cli/text/terminal-text.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people } from './cli-workspace.ts'

/** Clears the screen, reverses the writing direction, and adds a line that looks like output of credsync. */
const planted = 'x\u001b[2J\u009b31m\u202eabc\u2028\r\ni9: issued'
const controlCharacters = /[\p{Zl}\p{Zp}\p{Bidi_Control}]|(?!\n)\p{Cc}/u

function captureOutput() {
  const texts: string[] = []
  const stream = { write: (text: string) => texts.push(text) > 0 } as unknown as NodeJS.WritableStream
  return { texts, cli: { stdout: stream, stderr: stream } }
}

test('printed text controls no terminal and keeps its lines', () => {
  const { texts, cli } = captureOutput()
  say(cli, `one ${planted}\n  two`)
  print(cli, `three ${planted}`)
  expect(texts.join('')).not.toMatch(controlCharacters)
  expect(texts[0]).toMatch(/\n {2}two\n$/)
  expect(terminalSafeText('plain\n\ttext – äöü 日本')).toBe('plain\n\ttext – äöü 日本')
})

test('a JSON document parses to the same strings, and controls no terminal', () => {
  const { texts, cli } = captureOutput()
  printJson(cli, { name: planted })
  expect(texts.join('')).not.toMatch(controlCharacters)
  expect(JSON.parse(texts.join(''))).toEqual({ name: planted })
})

test('an indented line keeps its indentation and stays one line', () => {
  expect(indentedLine(`    result  ${planted}`)).toBe('    result  x [2J 31m abc i9: issued')
})

describeWithDatabase('explain and held', () => {
  test('show names, links and the service’s words as one line each', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(2)), '--wait', '--json'))
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query('UPDATE issuance SET verifier_link = $1, report_status = $1', [planted])
    await database.query('UPDATE run SET source_name = $1', [planted])
    await database.query('ALTER TABLE issuance DISABLE TRIGGER USER')
    await database.query(`UPDATE issuance SET state = 'held', reason = $1 WHERE id = 2`, [planted])
    const explained = await workspace.run(['explain', 'i1'])
    const held = await workspace.run(['held', '--config', 'credsync.yaml'])
    for (const { stdout } of [explained, held]) {
      expect(stdout).toContain('abc')
      expect(stdout).not.toMatch(controlCharacters)
      expect(stdout).not.toMatch(/^i9/m)
    }
    expect(explained.stdout).toMatch(/^ {2}verifier link x \[2J 31m abc i9: issued$/m)
    expect(held.stdout).toMatch(/^ {2}because x \[2J 31m abc i9: issued$/m)
  })
})
