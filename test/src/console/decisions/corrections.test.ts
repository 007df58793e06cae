// A correction is the decision of the person who made it.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { expireConsoleActs } from '#jobs/privacy/expire-console-acts.ts'
import { type DecidingConsole, fieldsIn, openDecidingConsole } from '#test/support/console-decisions.ts'
import type { ConsoleAnswer } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const issue = '/people/i7/correct/issue'

describeWithDatabase('a correction in the console', () => {
  let deciding: DecidingConsole
  beforeEach(async () => {
    deciding = await openDecidingConsole()
  })
  afterEach(() => deciding[Symbol.asyncDispose]())

  const change = (sql: string) => withoutTriggers(deciding.console.world.app.database, sql)
  const sendFormOf = ({ text }: ConsoleAnswer, reason = 'a slip') =>
    deciding.console.ask(issue, { cookie: deciding.cookies.operator, form: [...fieldsIn(text), ['reason', reason]] })
  const fromValues = () =>
    deciding.decide('/people/i7/correct', { form: { 'set.Last Name': 'Byron', 'set.Register Number': '000123' } })

  test('that joins a revocation of somebody else is named after the person who corrects', async () => {
    await deciding.decide('/people/i7/revoke', { reason: 'the wrong person?' })
    deciding.cookies.operator = await deciding.console.signedIn('operator', { name: 'grace' })
    expect((await sendFormOf(await fromValues(), 'it is misspelled')).status).toBe(303)
    const { app } = deciding.console.world
    const file = { ...app.settings.file, console: { keepDays: 1 } as typeof app.settings.file.console }
    await change(`UPDATE credsync.console_act SET at = at - interval '2 days'`)
    await expireConsoleActs({ ...app, settings: { ...app.settings, file } })
    expect(await deciding.count('console_act', `act = 'decided'`)).toBe(0)
    const { text } = await deciding.show('/log')
    const lines = text.split('<tr').map((line) => line.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '))
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/grace Corrected a credential\. i7 it is misspelled/),
      expect.stringMatching(/operator Revoked a credential\. i7 the wrong person\?/),
    ])
    const life = (await deciding.show('/people/i7')).text
    expect(life).toContain('asked for by operator (the wrong person?), the correction by grace (it is misspelled): not')
    expect(life).toMatch(/Correction wanted\.[\s\S]*by: grace, why: it is misspelled/)
  })
})
