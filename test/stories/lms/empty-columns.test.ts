// A Moodle site that omits, without an error, values that the account may not see: the message names the missing
// permission, and the rows are retried when a poll finds the values.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { type Campus, type CampusOptions, completedHook, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

type LoggedEvent = EventFields & { name: EventName }

async function openLoggedCampus(options: CampusOptions = {}) {
  const logged: LoggedEvent[] = []
  const log = { event: (name: EventName, fields: EventFields = {}) => void logged.push({ name, ...fields }) }
  const campus = await openCampus({ idle: true, appOptions: { log }, ...options })
  await campus.world.app.ledger.learningSystems.register(['campus'])
  return { campus, logged, [Symbol.asyncDispose]: () => campus[Symbol.asyncDispose]() }
}

async function readAll({ world: { app } }: Campus): Promise<void> {
  const { rows } = await app.database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'received'`)
  for (const { id } of rows) await intake(app, { runId: id })
}

/** Runs the poll that is due every 15 minutes, not the daily one. */
async function poll(campus: Campus): Promise<void> {
  const { app } = campus.world
  await app.database.query(
    `UPDATE learning_system SET due_at = clock_timestamp(), asked_at = NULL,
       sweep_at = CASE WHEN polled_at IS NULL THEN sweep_at ELSE clock_timestamp() + interval '1 day' END`,
  )
  await pollLms(app, { system: 'campus' })
  await readAll(campus)
}

describeWithDatabase('an empty column of a Moodle site', () => {
  test.each([
    ['email', ['moodle/course:useremail', 'moodle/site:viewuseridentity'], /no e-mail address/],
    ['username', ['moodle/user:viewalldetails'], /no user name/],
  ])(
    '(%s) is reported with the missing permission, and everyone gets a credential after the next poll that shows the value',
    async (column, rights, message) => {
      await using opened = await openLoggedCampus({ columns: { Email: column, 'Primary Value': { value: 'Email' } } })
      const { campus, logged } = opened
      const learnerIds = []
      for (const name of ['ada', 'byron']) {
        const learner = campus.enroll(name, { username: `${name}@example.org` })
        await campus.lms.complete(learner, campus.course)
        learnerIds.push(learner)
      }
      for (const right of rights) campus.lms.forbid(right)
      for (const time of ['once the rows are read', 'and at each poll after that']) {
        await poll(campus)
        const events = await campus.runCli('events')
        expect([events.code, events.stdout], time).toEqual([3, expect.stringMatching(message)])
        for (const right of rights) expect(events.stdout, time).toContain(right)
        expect(events.stdout, time).toContain(`Learners ${learnerIds.join(', ')}: `)
        expect((await campus.runCli('status')).stdout, time).toMatch(message)
      }
      const strangeEvent = { system: 'campus', pipeline: 'spring', count: 2, learner: learnerIds.join(', ') }
      const logLines = logged.filter(({ name }) => name === 'system.strange')
      expect(logLines).toEqual([strangeEvent, strangeEvent].map((each) => ({ name: 'system.strange', ...each })))
      expect(await campus.states()).toEqual([])
      for (const right of rights) campus.lms.allow(right)
      await poll(campus)
      expect(await campus.states()).toEqual(['pending', 'pending'])
      expect((await campus.runCli('events')).stdout).not.toMatch(message)
    },
  )

  test('is resolved even after an event, because the next poll reads the value from the course list', async () => {
    await using opened = await openLoggedCampus()
    const { campus } = opened
    await poll(campus)
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    campus.lms.forbid('moodle/site:viewuseridentity')
    await campus.post(completedHook(ada, campus.course))
    await processEvents(campus.world.app, { system: 'hooks' })
    await readAll(campus)
    expect(await campus.states()).toEqual([])
    expect((await campus.runCli('events')).stdout).toMatch(/Learner \d+: The system shows no e-mail address/)
    await poll(campus)
    expect(await campus.states()).toEqual(['pending'])
    expect((await campus.runCli('events')).stdout).not.toMatch(/e-mail address/)
  })
})
