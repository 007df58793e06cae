// The limits of this process for one learning system.

import { expect, onTestFinished, test } from 'vitest'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('a learning system', () => {
  test.each([1, 3])('gets no more than %i calls at a time, as atOnce says', async (atOnce) => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const held: (() => void)[] = []
    server.on('server.php', (...call) => void held.push(() => json(200, [])(...call)))
    const campus = { type: 'moodle', url: server.url, token: 'a-token-of-the-account', perSecond: 50, atOnce }
    await using world = await openWorld({ file: { systems: { campus } } })
    const client = world.app.learning.client(moodleSystem, 'campus')
    const calls = [1, 2, 3, 4, 5].map((learner) => client.readProfile(learner).catch(() => null))
    for (let answered = 0; answered < calls.length; answered++) {
      const expected = Math.min(atOnce, calls.length - answered)
      await until('the calls that are allowed', () => held.length === expected || `${held.length}`)
      // Longer than the fiftieth of a second after which the next call would be due.
      await world.app.clock.sleep(60)
      expect(held.length).toBe(expected)
      held.shift()?.()
    }
    await Promise.all(calls)
  })
})
