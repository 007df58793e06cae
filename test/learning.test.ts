// The way of a completion: a learner finishes a course in a Moodle, hears nothing of us, and finds the credential in the profile.

import { expect, test } from 'vitest'
import { hookToken, openCampus, soon, xapiPassword } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

describeWithDatabase('a learner who completes a course', () => {
  test('finds the credential in the profile, told by a webhook', async () => {
    await using campus = await openCampus()
    const ada = campus.enrol('ada')
    campus.lms.tell({ webhook: { url: `${campus.web.url}/events/hooks`, token: hookToken } })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const { credid, credurl } = await campus.profileOf(ada)
    const [request] = campus.world.sandbox.requests()
    expect(credid).toBe(request?.credentialId)
    expect(credurl).toMatch(/^https?:/)
    expect(request?.student).toMatchObject({ Email: 'ada@example.org', 'First Name': 'ada', 'Last Name': 'Lovelace' })
  })

  test('is issued once, whether a webhook, a statement and a poll tell of it', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enrol('ada')
    campus.lms.tell({
      webhook: { url: `${campus.web.url}/events/hooks`, token: hookToken },
      xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword },
    })
    await campus.lms.complete(ada, campus.course)
    await campus.lms.cron()
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const seen = async () => {
      const { rows } = await campus.world.app.database.query<{ seen: string }>(
        `SELECT system || ' ' || state AS seen FROM delivery ORDER BY system`,
      )
      return rows.map((row) => row.seen)
    }
    // The plugin reports the page that was read beside the course, with the same verb.
    await expect.poll(seen, soon).toEqual(['hooks judged', 'statements judged', 'statements judged'])
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })
})
