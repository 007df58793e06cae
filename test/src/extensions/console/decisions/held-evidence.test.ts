// The evidence about a held row of somebody with many certificates, or with an address that others have, too: all of it is
// compared before the row is sent again.

import { expect, test } from 'vitest'
import { issueElsewhere, students } from '#test/src/cli/issued-elsewhere.ts'
import { openDecidingConsole, states } from '#test/support/console-decisions.ts'
import { describeWithDatabase } from '#test/support/database.ts'

/** People with the address of row 3. */
const colleagues = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...students(1, 3)[0], 'First Name': `Grace${at}` }))

describeWithDatabase('what the report shows of a held row whose address many have', () => {
  test('is shown completely, and nothing is sent again if there is one more', async () => {
    await using deciding = await openDecidingConsole()
    await issueElsewhere(deciding.console.world, colleagues(9))
    const { text } = await deciding.show('/held/i3', 'registrar')
    for (const { 'First Name': name } of colleagues(9)) expect(text).toContain(`${name} <span class="label`)
    expect(text).toContain('Item 9')
    const form: [string, string][] = [...(await deciding.formOf('/held/i3')), ['answer', 'not sent']]
    const send = () =>
      deciding.console.ask('/held/i3', {
        ...{ cookie: deciding.cookies.registrar, form: [...form, ['reason', 'not there']] },
      })
    await issueElsewhere(deciding.console.world, students(1, 3, { 'First Name': 'Grace9' }))
    expect([(await send()).status, await deciding.states()]).toEqual([409, states])
  })

  test('is not decided as not sent here if it is more than the page shows', async () => {
    await using deciding = await openDecidingConsole()
    await issueElsewhere(deciding.console.world, colleagues(41))
    const sentence = 'that i3 was not sent cannot be decided here'
    const { text } = await deciding.show('/held/i3', 'registrar')
    expect(text).toContain(sentence)
    expect(text).toContain('credsync resolve i3 --not-sent')
    const refused = await deciding.decide('/held/i3', { role: 'registrar', form: { answer: 'not sent' } })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(sentence)])
    expect(await deciding.states()).toBe(states)
    expect((await deciding.decide('/held/i3', { role: 'registrar', form: { answer: 'sent' } })).status).toBe(303)
  })
})
