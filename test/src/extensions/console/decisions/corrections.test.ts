// A correction is what its page showed, and the decision of the person who made it.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { expireConsoleActs } from '#jobs/console/console-jobs.ts'
import { recipientFields } from '#sandboxes/service/recipient-fields.ts'
import { correctionHash } from '#src/extensions/console/decisions/correction-pages.ts'
import { type DecidingConsole, fieldsIn, openDecidingConsole } from '#test/support/console-decisions.ts'
import type { ConsoleAnswer } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const issue = '/people/i7/correct/issue'

test('what was shown differs in a value, in a changed field or in the image, and not by the order of the fields', () => {
  const shown = {
    ...{ recipient: { Email: 'a@example.org', Name: 'Byron' }, changedFields: ['Name'], imageSha256: null },
    ...{ issuanceKey: Buffer.of(1), identityHash: Buffer.of(2), matchHashes: [] },
  }
  const hash = correctionHash(shown)
  expect(correctionHash({ ...shown, recipient: { Name: 'Byron', Email: 'a@example.org' } })).toBe(hash)
  const others = [
    { recipient: { Email: 'a@example.org', Name: 'King' } },
    { recipient: { Email: 'a@example.org' } },
    { changedFields: ['Email', 'Name'] },
    { imageSha256: Buffer.of(1) },
    { imageSha256: Buffer.of(2) },
  ].map((other) => correctionHash({ ...shown, ...other }))
  expect(new Set([hash, ...others]).size).toBe(6)
})

describeWithDatabase('a correction in the console', () => {
  let deciding: DecidingConsole
  beforeEach(async () => {
    deciding = await openDecidingConsole()
  })
  afterEach(() => deciding[Symbol.asyncDispose]())

  const change = (sql: string) => withoutTriggers(deciding.console.world.app.database, sql)
  const sendFormOf = ({ text }: ConsoleAnswer, reason = 'a slip') =>
    deciding.console.ask(issue, { cookie: deciding.cookies.operator, form: [...fieldsIn(text), ['reason', reason]] })
  const fieldGoes = (name: string) => {
    const left = recipientFields.filter(({ display_name }) => display_name !== name)
    const payload = Object.fromEntries(left.map((field) => [field.display_name, field]))
    const body = JSON.stringify({ status: 200, message: 'Success', payload, errors: {}, pager: {} })
    deciding.console.world.wire.spoil('/fieldList', { status: 200, body }, 100)
  }
  const corrected = () =>
    deciding.count(
      'revocation',
      `correction->'recipient' = '${JSON.stringify(aRecipient(7, { 'Last Name': 'Byron' }))}'`,
    )

  /** A difference in the last name and the register number, made from a row of a later list. */
  async function fromRow(): Promise<ConsoleAnswer> {
    const { ledger } = deciding.console.world.app
    const course = deciding.console.world.sandbox.courses[0]?.uuid ?? ''
    const run = await publish(ledger, [aRecipient(7, { 'Last Name': 'Byron' })], { course, name: 'right.csv' })
    await change(
      `UPDATE credsync.run SET header = '["e_mail","First Name","Last Name","Register Number"]' WHERE id = '${run}'`,
    )
    const cells = '["person.7@example.org","Ada7","Byron","000123"]'
    await change(`UPDATE credsync.run_row SET cells = '${cells}' WHERE run_id = '${run}'`)
    return deciding.show(`/people/i7/correct?from=${run}:2`)
  }

  const fromValues = () =>
    deciding.decide('/people/i7/correct', { form: { 'set.Last Name': 'Byron', 'set.Register Number': '000123' } })

  test.each([
    ['a row of a list', fromRow],
    ['values', fromValues],
  ])('from %s is shown again, and nothing is done, if it would be another one by now', async (_, open) => {
    const shown = await open.call(null)
    expect(shown.text).toMatch(/Register Number<[\s\S]*000123/)
    fieldGoes('Register Number')
    const again = await sendFormOf(shown, 'looked it up')
    expect(again.status).toBe(409)
    expect(again.text).toContain('Something has changed since you saw the difference, such as the fields of the course')
    expect(again.text).toMatch(/Lovelace[\s\S]*Byron/)
    expect(again.text).toContain('looked it up')
    expect(again.text).not.toContain('000123')
    expect(await deciding.count('revocation')).toBe(0)
    expect(await deciding.count('console_act', `act = 'decided'`)).toBe(0)
    expect((await sendFormOf(again)).status).toBe(303)
    expect(await corrected()).toBe(1)
  })

  test('is shown again if the form does not say what was shown', async () => {
    const { text } = await fromValues()
    const form = fieldsIn(text).filter(([name]) => name !== 'shown')
    const answer = await deciding.console.ask(issue, {
      ...{ cookie: deciding.cookies.operator, form: [...form, ['reason', 'a slip']] },
    })
    expect([answer.status, await deciding.count('revocation')]).toEqual([409, 0])
  })

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
    expect(life).toContain('requested by operator (the wrong person?), the correction by grace (it is misspelled): not')
    expect(life).toMatch(/Correction wanted\.[\s\S]*by: grace, why: it is misspelled/)
  })
})
