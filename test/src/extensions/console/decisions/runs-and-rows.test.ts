// Decisions about runs and rows, as forms send them: each is carried out once, as it was seen, with name and reason.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueElsewhere, students } from '#test/src/cli/issued-elsewhere.ts'
import { type DecidingConsole, openDecidingConsole, states } from '#test/support/console-decisions.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const evil = `<img src=x onerror=alert(1)>"'`

describeWithDatabase('in the console', () => {
  let deciding: DecidingConsole
  beforeEach(async () => {
    deciding = await openDecidingConsole()
  })
  afterEach(() => deciding[Symbol.asyncDispose]())

  const runOf = (id: string) => deciding.console.world.app.ledger.runs.find(id)
  const historyOf = async (id: number) =>
    (await deciding.console.world.app.ledger.issuances.explain({ id }))[0]?.history.at(-1)

  test('a braked run is approved once, by name, with the reason, and the page says what comes next', async () => {
    const id = await deciding.braked('large.csv')
    expect((await deciding.show(`/runs/${id}`, 'registrar')).text).toContain(`/runs/${id}/approve`)
    expect((await deciding.show(`/runs/${id}`, 'viewer')).text).not.toContain(`/runs/${id}/approve`)
    const page = (await deciding.show(`/runs/${id}/approve`, 'registrar')).text
    expect(page).toMatch(/900 credentials[\s\S]*Usual[\s\S]*40/)
    const form = await deciding.formOf(`/runs/${id}/approve`, 'registrar')
    const approved = await deciding.decide(`/runs/${id}/approve`, { role: 'registrar', reason: ' a large\r\ncohort ' })
    expect([approved.status, approved.headers.location]).toEqual([
      303,
      expect.stringMatching(`^/runs/${id}\\?done=\\d+$`),
    ])
    expect(await runOf(id)).toMatchObject({ state: 'received', approval: { by: 'registrar', why: 'a large cohort' } })
    const after = await deciding.show(approved.headers.location ?? '', 'registrar')
    expect(after.text).toContain(`Run ${id.slice(0, 8)} is approved. A worker reads it again and issues it, regardless`)
    expect((await deciding.show(`/runs/${id}/approve`)).status).toBe(409)
    const again = await deciding.console.ask(`/runs/${id}/approve`, {
      ...{ cookie: deciding.cookies.operator, form: [...form, ['reason', 'twice']] },
    })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('it was approved by registrar.')])
    expect(await runOf(id)).toMatchObject({ approval: { by: 'registrar' } })
    const log = (await deciding.show('/log')).text
    expect(log.match(/Approved a run\./g)).toHaveLength(1)
    expect(log).toContain('a large cohort')
    expect(await deciding.count('console_act', `act = 'decided' AND by = 'registrar' AND run_id = '${id}'`)).toBe(1)
  })

  test('a braked run is rejected, and markup in the reason stays text', async () => {
    const id = await deciding.braked('wrong.csv')
    expect((await deciding.decide(`/runs/${id}/reject`, { reason: evil })).status).toBe(303)
    expect(await runOf(id)).toMatchObject({ state: 'refused', refusal: `rejected by operator: ${evil}` })
    for (const path of [`/runs/${id}`, '/log', '/']) {
      const { text } = await deciding.show(path)
      expect(text).not.toContain('<img')
      expect(text).toContain('&lt;img')
    }
  })

  test('a run that was braked again since the page was made is left as it is', async () => {
    const id = await deciding.braked('list.csv')
    const form = await deciding.formOf(`/runs/${id}/approve`)
    await withoutTriggers(
      deciding.console.world.app.database,
      `UPDATE credsync.run SET braked_at = braked_at + interval '1 s' WHERE id = $1`,
      [id],
    )
    for (const seen of [form, [['seen', '']], [['seen', 'nonsense']]] as [string, string][][]) {
      const answer = await deciding.console.ask(`/runs/${id}/approve`, {
        ...{ cookie: deciding.cookies.operator, form: [...seen, ['reason', 'right']] },
      })
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('has been braked again')])
    }
    expect((await runOf(id))?.state).toBe('braked')
  })

  test('nothing is decided without a reason, or with one that is too long, and what was written is kept', async () => {
    for (const [reason, fault] of [
      ['', 'Give a reason'],
      [' \r\n\u0000 ', 'Give a reason'],
      ['x'.repeat(501), 'more than 500 characters'],
    ] as const) {
      const form = { answer: 'not sent' }
      const answer = await deciding.decide('/held/i3', { reason, form })
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(fault)])
      expect(answer.text).toMatch(/value="not sent"[^>]* checked/)
    }
    const open = await deciding.decide('/held/i3', { reason: evil })
    expect([open.status, open.text]).toEqual([422, expect.stringContaining('Say whether the service has the request')])
    expect(open.text).toContain('&lt;img src=x')
    expect(open.text).not.toContain('<img')
    expect(await deciding.states()).toBe(states)
  })

  test.each([
    ['sent', 'requested', 'i3 is followed in the report, and nothing is sent.'],
    ['not sent', 'pending', 'i3 is sent again, as if for the first time, as soon as a worker runs.'],
  ])('a held row is decided once: %s', async (answer, to, message) => {
    const page = (await deciding.show('/held/i3', 'registrar')).text
    expect(page).toMatch(/person\.3@example\.org[\s\S]*Shown by the report now[\s\S]*Nothing of this person\./)
    expect(page).toMatch(/stays requested forever[\s\S]*two credentials/)
    const shown = await deciding.formOf('/held/i3')
    const form: [string, string][] = [...shown, ['answer', answer], ['reason', 'seen']]
    const send = () => deciding.console.ask('/held/i3', { cookie: deciding.cookies.registrar, form })
    const [first, second] = await Promise.all([send(), send()])
    expect([first.status, second.status].sort()).toEqual([303, 409])
    const won = first.status === 303 ? first : second
    expect((await deciding.show(won.headers.location ?? '', 'registrar')).text).toContain(message)
    expect(await historyOf(3)).toMatchObject({
      ...{ event: `a person decided: ${answer}`, to, evidence: { by: 'registrar', why: 'seen' } },
    })
    expect(await deciding.count('history', `issuance_id = 3 AND event LIKE 'a person decided%'`)).toBe(1)
    expect((await deciding.show('/held/i3')).text).toContain(`i3 needs no decision: it is not held, but ${to}`)
  })

  test('a held row can be decided while the report cannot be read', async () => {
    deciding.console.world.wire.spoil('/', { status: 403, body: '{}' }, 100)
    expect((await deciding.show('/held/i3')).text).toContain('The report could not be read right now.')
    const unseen = await deciding.decide('/held/i3', { form: { answer: 'not sent' } })
    expect([unseen.status, await deciding.states()]).toEqual([409, states])
    expect((await deciding.decide('/held/i3', { form: { answer: 'sent' } })).status).toBe(303)
  })

  test('nothing is sent again if the report has shown something since, or the form does not say what it showed', async () => {
    const form: [string, string][] = [...(await deciding.formOf('/held/i3')), ['answer', 'not sent']]
    const silent: [string, string][] = form.filter(([name]) => name !== 'shown')
    const refused = await deciding.console.ask('/held/i3', {
      ...{ cookie: deciding.cookies.registrar, form: [...silent, ['reason', 'not there']] },
    })
    expect([refused.status, await deciding.states()]).toEqual([409, states])
    await issueElsewhere(deciding.console.world, students(1, 3))
    const answer = await deciding.console.ask('/held/i3', {
      ...{ cookie: deciding.cookies.registrar, form: [...form, ['reason', 'not there']] },
    })
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('shows something else of this person')])
    expect(await deciding.states()).toBe(states)
  })

  test('a held row that has moved since it was seen is left as it is', async () => {
    const form: [string, string][] = [...(await deciding.formOf('/held/i3')), ['answer', 'sent'], ['reason', 'seen']]
    await withoutTriggers(
      deciding.console.world.app.database,
      `UPDATE credsync.issuance SET state_since = state_since + interval '1 ms' WHERE id = 3`,
    )
    const answer = await deciding.console.ask('/held/i3', { cookie: deciding.cookies.registrar, form })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('i3: nothing was changed, because it has changed in the meantime, and is held again.')
    expect(await deciding.states()).toBe(states)
  })

  test('a failed row is sent again once, and one that cannot be says why', async () => {
    expect((await deciding.show('/people/i1', 'registrar')).text).toContain('/people/i1/retry')
    const retried = await deciding.decide('/people/i1/retry', { role: 'registrar' })
    expect((await deciding.show(retried.headers.location ?? '', 'registrar')).text).toContain(
      'i1 is sent again, on its own',
    )
    expect(await deciding.states()).toBe('pending failed held held held held issued issued')
    expect((await deciding.show('/people/i1/retry')).text).toContain('i1 is not sent again, because it is not failed')
    await withoutTriggers(
      deciding.console.world.app.database,
      'UPDATE credsync.issuance SET surplus_items = 1 WHERE id = 2',
    )
    expect((await deciding.show('/people/i2/retry')).text).toContain('because the report shows 1 other item')
  })

  test('the failed rows of a run are sent again, but none that failed after the page was made', async () => {
    const page = await deciding.show(`/runs/${deciding.run}/retry`, 'registrar')
    expect(page.text).toContain('Send these 2 rows again')
    const form = await deciding.formOf(`/runs/${deciding.run}/retry`)
    await withoutTriggers(
      deciding.console.world.app.database,
      `UPDATE credsync.issuance SET state_since = state_since + interval '1 min' WHERE id = 2`,
    )
    const send = () =>
      deciding.console.ask(`/runs/${deciding.run}/retry`, {
        ...{ cookie: deciding.cookies.registrar, form: [...form, ['reason', 'fixed']] as [string, string][] },
      })
    const retried = await send()
    expect(retried.status).toBe(303)
    expect(await deciding.states()).toBe('pending failed held held held held issued issued')
    const after = await deciding.show(retried.headers.location ?? '', 'registrar')
    expect(after.text).toContain(`1 row of run ${deciding.run.slice(0, 8)} is sent again, one at a time`)
    expect([(await send()).status, await deciding.states()]).toEqual([
      ...[409, 'pending failed held held held held issued issued'],
    ])
  })

  test('what a person was told of a decision is shown to that person only, for some minutes', async () => {
    const decided = await deciding.decide('/held/i3', { form: { answer: 'sent' } })
    const location = decided.headers.location ?? ''
    const message = 'i3 is followed in the report'
    expect((await deciding.show(location)).text).toContain(message)
    expect((await deciding.show(location, 'registrar')).text).not.toContain(message)
    const id = Number(/done=(\d+)/.exec(location)?.[1])
    for (const other of [String(id - 1), String(id + 1), `${id}x`, '', '9'.repeat(30), evil])
      expect((await deciding.show(`/people/i3?done=${encodeURIComponent(other)}`)).text).not.toContain('role="status"')
    deciding.console.advance(11 * 60_000)
    expect((await deciding.show(location)).text).not.toContain(message)
  })
})
