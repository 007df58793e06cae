// A completion from end to end: a learner completes a course in Moodle and finds the credential in the profile.

import { expect, test } from 'vitest'
import { completionWait, hookToken, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

describeWithDatabase('a learner who completes a course', () => {
  test('gets one credential, although a webhook, a statement and a poll report the completion', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enroll('ada')
    campus.lms.sendEventsTo({
      webhook: { url: `${campus.web.url}/events/hooks`, token: hookToken },
      xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword },
    })
    await campus.lms.complete(ada, campus.course)
    await campus.lms.cron()
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    const [request] = campus.world.sandbox.requests()
    const link = expect.stringMatching(/^https?:/)
    expect(await campus.profileOf(ada)).toMatchObject({ credid: request?.credentialId, credurl: link })
    expect(request?.student).toMatchObject({ Email: 'ada@example.org', 'First Name': 'ada', 'Last Name': 'Lovelace' })
    const eventStates = async () => {
      const { rows } = await campus.world.app.database.query<{ seen: string }>(
        `SELECT system || ' ' || state AS seen FROM inbound_event ORDER BY system`,
      )
      return rows.map((row) => row.seen)
    }
    // The plugin also reports a page that was viewed in the course, with the same verb.
    await expect
      .poll(eventStates, completionWait)
      .toEqual(['hooks processed', 'statements processed', 'statements processed'])
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })
})
