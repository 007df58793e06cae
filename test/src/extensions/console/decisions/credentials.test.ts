// Revocations and corrections, as forms send them: the difference first, then once, as it was seen.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DecidingConsole, fieldsIn, openDecidingConsole } from '#test/support/console-decisions.ts'
import type { FormFields } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const evil = `<img src=x onerror=alert(1)>"'`

describeWithDatabase('in the console', () => {
  let deciding: DecidingConsole
  beforeEach(async () => {
    deciding = await openDecidingConsole()
  })
  afterEach(() => deciding[Symbol.asyncDispose]())

  const send = (path: string, form: FormFields) =>
    deciding.console.ask(path, { cookie: deciding.cookies.operator, form })
  const lastOf = (credential: string) => deciding.console.world.app.ledger.revocations.lastOf(credential)
  const change = (sql: string) => withoutTriggers(deciding.console.world.app.database, sql)

  test('a credential is revoked once, by name, with the reason, and its page shows each step', async () => {
    expect((await deciding.show('/people/i7', 'registrar')).text).not.toContain('/revoke')
    expect((await deciding.show('/people/i7')).text).toContain('/people/i7/revoke')
    const page = (await deciding.show('/people/i7/revoke')).text
    expect(page).toMatch(/Revoke the credential of Ada7 Lovelace[\s\S]*cannot be undone[\s\S]*person\.7@example\.org/)
    const form: [string, string][] = [...(await deciding.formOf('/people/i7/revoke')), ['reason', evil]]
    const [first, second] = await Promise.all([send('/people/i7/revoke', form), send('/people/i7/revoke', form)])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(await deciding.count('revocation')).toBe(1)
    expect(await lastOf('1111-7')).toMatchObject({ state: 'wanted', by: 'operator', why: evil, issuanceId: 7 })
    const pages = [first, second].map(({ headers }) => deciding.show(headers.location ?? ''))
    const texts = (await Promise.all(pages)).map(({ text }) => text).join()
    expect(texts).toContain('Credential 1111-7 is about to be revoked: a worker makes the call within seconds')
    expect(texts).toContain('was already about to be revoked: nothing was added')
    expect(texts).toContain('requested by operator (&lt;img')
    for (const path of ['/people/i7', '/log', '/held']) expect((await deciding.show(path)).text).not.toContain('<img')
    const late = await deciding.show('/people/i7/revoke')
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('already been requested by operator: not sent yet; a worker'),
    ])
  })

  test('a credential that has changed since, or of which the last revocation was not shown, is not revoked', async () => {
    const form: [string, string][] = [...(await deciding.formOf('/people/i7/revoke')), ['reason', 'a slip']]
    await send('/people/i7/revoke', form)
    await change(`UPDATE credsync.revocation SET state = 'refused', words = '${evil.replaceAll("'", "''")}'`)
    const stale = await send('/people/i7/revoke', form)
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('i7 has changed since you saw it.')])
    expect(await deciding.count('revocation')).toBe(1)
    const held = (await deciding.show('/held')).text
    expect(held).toMatch(/Revocations[\s\S]*the service refused it|The service refused it/)
    expect(held).toContain('/people/i7/revoke')
    expect(held).not.toContain('<img')
    expect((await deciding.show('/held', 'registrar')).text).not.toContain('1111-7')
    expect((await deciding.decide('/people/i7/revoke')).status).toBe(303)
    expect(await deciding.count('revocation')).toBe(2)
    const moved: [string, string][] = [...(await deciding.formOf('/people/i8/revoke')), ['reason', 'a slip']]
    await change(`UPDATE credsync.issuance SET state_since = state_since + interval '1 ms' WHERE id = 8`)
    expect((await send('/people/i8/revoke', moved)).status).toBe(409)
  })

  test('only an issued credential is revoked, and none while sending is stopped', async () => {
    const pending = await deciding.show('/people/i1/revoke')
    expect([pending.status, pending.text]).toEqual([409, expect.stringContaining('it is failed, and only an issued')])
    const form: [string, string][] = [...(await deciding.formOf('/people/i7/revoke')), ['reason', 'a slip']]
    await deciding.console.world.app.database.query(
      `INSERT INTO credsync.sending_stop (environment, reason) VALUES ('development', 'the ledger was rolled back')`,
    )
    for (const answer of [
      await deciding.show('/people/i7/revoke'),
      await deciding.show('/people/i7/correct'),
      await send('/people/i7/revoke', form),
    ])
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('the ledger was rolled back')])
    expect(await deciding.count('revocation')).toBe(0)
  })

  test('a correction shows the difference, and is requested once', async () => {
    const fields = await deciding.formOf('/people/i7/correct')
    expect(Object.fromEntries(fields)).toMatchObject({
      'set.Last Name': 'Lovelace',
      'set.Email': 'person.7@example.org',
    })
    const preview = (values: FormFields) => deciding.decide('/people/i7/correct', { form: values })
    for (const [values, fault] of [
      [{}, 'Nothing differs'],
      [{ 'set.Email': 'other@example.org' }, 'another person, course or occasion'],
      [{ 'set.First Name': '' }, 'First Name'],
    ] as const) {
      const answer = await preview(values)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(fault)])
    }
    const looks = () => deciding.count('console_act', `act = 'looked at a person' AND issuance_id = 7`)
    const damaged = await preview({ 'set.Last Name': evil })
    expect([damaged.status, damaged.text]).toEqual([422, expect.not.stringContaining('<img')])
    const before = await looks()
    const difference = await preview({ 'set.Last Name': 'Byron & Noel' })
    // The form, and what it leads to.
    expect(await looks()).toBe(before + 2)
    expect([difference.status, difference.text]).toEqual([200, expect.stringContaining('Lovelace')])
    expect(difference.text).toContain('Byron &amp; Noel')
    expect(difference.text).toMatch(/1111-7 is revoked first[\s\S]*cannot be undone/)
    expect(await deciding.count('revocation')).toBe(0)

    const shown = fieldsIn((await preview({ 'set.Last Name': 'Byron' })).text)
    const form = { ...Object.fromEntries(shown), reason: 'a slip of the pen' }
    const both = await Promise.all([1, 2].map(() => send('/people/i7/correct/issue', form)))
    // The second one may find the first in progress.
    expect(['303,303', '303,409', '409,303']).toContain(both.map(({ status }) => status).join())
    expect(await deciding.count('revocation', `correction->'recipient'->>'Last Name' = 'Byron'`)).toBe(1)
    const other = await send('/people/i7/correct/issue', { ...form, 'set.Last Name': 'King' })
    expect([other.status, other.text]).toEqual([
      409,
      expect.stringContaining('A correction of i7 is already in progress'),
    ])
    expect(await lastOf('1111-7')).toMatchObject({
      state: 'wanted',
      by: 'operator',
      why: 'a slip of the pen',
      corrects: true,
    })
    expect((await deciding.show('/log')).text.match(/Corrected a credential\./g)).toHaveLength(1)
  })

  test('a correction of what has changed since is refused, before and after the difference was shown', async () => {
    const shown = await deciding.decide('/people/i7/correct', { form: { 'set.Last Name': 'Byron' } })
    const form = { ...Object.fromEntries(fieldsIn(shown.text)), reason: 'a slip' }
    await change(`UPDATE credsync.issuance SET state_since = state_since + interval '1 ms' WHERE id = 7`)
    for (const path of ['/people/i7/correct', '/people/i7/correct/issue']) {
      const answer = await send(path, form)
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('i7 has changed since you saw it.')])
    }
    expect(await deciding.count('revocation')).toBe(0)
  })

  test('a failed row is sent again with corrected data, and nothing is revoked', async () => {
    const difference = await deciding.decide('/people/i1/correct', { form: { 'set.Last Name': 'Byron' } })
    expect(difference.text).toContain('No credential has been issued yet')
    const form = { ...Object.fromEntries(fieldsIn(difference.text)), reason: 'misspelled' }
    const answers = [await send('/people/i1/correct/issue', form), await send('/people/i1/correct/issue', form)]
    expect(answers.map(({ status }) => status)).toEqual([303, 409])
    expect((await deciding.show(answers[0]?.headers.location ?? '')).text).toContain(
      'i1 is sent again with the corrected',
    )
    expect(await deciding.count('issuance', `id = 1 AND state = 'pending' AND recipient->>'Last Name' = 'Byron'`)).toBe(
      1,
    )
    expect(await deciding.count('revocation')).toBe(0)
  })

  test('a changed row of a later list is listed, and corrected from that row', async () => {
    const { ledger } = deciding.console.world.app
    const course = deciding.console.world.sandbox.courses[0]?.uuid ?? ''
    await change(`UPDATE credsync.issuance SET run_id = '${deciding.run}' WHERE id = 7`)
    const run = await publish(ledger, [aRecipient(7, { 'Last Name': 'Byron' })], { course, name: 'right.csv' })
    await change(`UPDATE credsync.run SET header = '["e_mail","First Name","Last Name"]' WHERE id = '${run}'`)
    await change(
      `UPDATE credsync.run_row SET cells = '["person.7@example.org","Ada7","Byron"]' WHERE run_id = '${run}'`,
    )
    const listed = (await deciding.show('/corrections', 'registrar')).text
    expect(listed).toMatch(/Ada7 Lovelace[\s\S]*Last Name[\s\S]*right\.csv/)
    expect(listed).not.toContain('Show the difference')
    const path = `/people/i7/correct?from=${run}:2`
    expect((await deciding.show('/corrections')).text).toContain(path)
    expect((await deciding.show('/')).text).toContain('href="/corrections"')
    expect((await deciding.show('/', 'viewer')).text).not.toContain('href="/corrections"')
    const page = (await deciding.show(path)).text
    expect(page).toMatch(/Lovelace[\s\S]*Byron[\s\S]*row 2 of right\.csv/)
    const corrected = await deciding.decide(path, { to: '/people/i7/correct/issue' })
    expect(corrected.status).toBe(303)
    expect(await deciding.count('revocation', `correction->'recipient'->>'Last Name' = 'Byron'`)).toBe(1)
    const other = await deciding.show(`/people/i8/correct?from=${run}:2`)
    expect([other.status, other.text]).toEqual([409, expect.stringContaining('does not name i8')])
  })

  test('nothing is corrected while the course cannot issue, or the service is away', async () => {
    const seen = Object.fromEntries(await deciding.formOf('/people/i7/correct')).seen ?? ''
    const form = { seen, last: '', 'set.Last Name': 'Byron', reason: 'a slip' }
    const { app, sandbox, wire } = deciding.console.world
    await app.issuer.setCourseEnabled(sandbox.courses[0]?.uuid ?? '', false)
    const shown = await send('/people/i7/correct', form)
    expect(shown.text).toContain('could not be issued now')
    expect(shown.text).not.toContain('name="reason"')
    const refused = await send('/people/i7/correct/issue', form)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Try again when it can be issued')])
    wire.spoil('/', { status: 403, body: '{}' }, 100)
    for (const answer of [await deciding.show('/people/i7/correct'), await send('/people/i7/correct/issue', form)])
      expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('Nothing was changed')])
    expect(await deciding.count('revocation')).toBe(0)
  })
})
