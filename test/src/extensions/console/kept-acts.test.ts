// How long the log remembers who looked at whom.

import { expect, test } from 'vitest'
import { expireConsoleActs } from '#jobs/console/console-jobs.ts'
import { openDecidingConsole } from '#test/support/console-decisions.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const dayMs = 86_400_000

describeWithDatabase('the log of the console', () => {
  test('forgets who looked at whom after the days that are configured, and no decision', async () => {
    await using deciding = await openDecidingConsole()
    const { app } = deciding.console.world
    const ago = (days: number) => new Date(deciding.console.now().getTime() - days * dayMs)
    const noteAt = (days: number, act: string) =>
      app.ledger.consoleActs.note({ by: 'ada', act, issuance: 1 }, ago(days))
    const expire = (keepDays?: number) => {
      const file = { ...app.settings.file, console: { keepDays } as typeof app.settings.file.console }
      return expireConsoleActs({ ...app, settings: { ...app.settings, file } })
    }
    await deciding.decide('/held/i3', { form: { answer: 'sent' }, reason: 'in the portal' })
    await noteAt(31, 'looked at a person')
    await noteAt(29, 'downloaded results')
    await noteAt(900, 'added a local user')
    const acts = () => deciding.count('console_act')
    const all = await acts()

    expect([await expire(), await acts()]).toEqual([false, all])
    expect([await expire(30), await acts()]).toEqual([false, all - 1])
    const log = (await deciding.show('/log')).text
    expect(log).not.toContain('Looked at a person.')
    expect(log).toContain('Downloaded results.')
    for (const kept of ['in the portal', 'Added a local user.']) expect(log).toContain(kept)
  })

  test('forgets what is old by a clock that is ahead of the database, too', async () => {
    await using deciding = await openDecidingConsole()
    const { app } = deciding.console.world
    const hoursAgo = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000)
    for (const hours of [30, 23])
      await app.ledger.consoleActs.note({ by: 'ada', act: `looked ${hours}` }, hoursAgo(hours))
    const file = { ...app.settings.file, console: { keepDays: 1 } as typeof app.settings.file.console }
    const clock = { ...app.clock, now: () => hoursAgo(-2) }
    await expireConsoleActs({ ...app, clock, settings: { ...app.settings, file } })
    const { text } = await deciding.show('/log')
    expect([text.includes('Looked 30.'), text.includes('Looked 23.')]).toEqual([false, true])
  })

  test('cannot be emptied of the last day', async () => {
    await using deciding = await openDecidingConsole()
    await deciding.show('/people/i1')
    const { database } = deciding.console.world.app
    for (const sql of ['DELETE FROM credsync.console_act', `UPDATE credsync.console_act SET by = 'nobody'`])
      await expect(database.query(sql)).rejects.toThrow('is refused')
  })
})
