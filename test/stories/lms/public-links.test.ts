// The public link of a credential, which the service creates only on request: a delivery without the link must not
// count as complete.

import { expect, test } from 'vitest'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const noPublicLink = { options: {} }

describeWithDatabase('a credential without a public link', () => {
  test('is written without its link, and is not verified until the report shows one', async () => {
    await using campus = await openCampus({ pipeline: noPublicLink })
    const { world } = campus
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const deliveryCounts = async () => (await world.app.ledger.deliveries.counts())[0]
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 0, incomplete: 1, pending: 0 })
    const credid = world.sandbox.requests()[0]?.credentialId ?? ''
    expect(await campus.profileOf(ada)).toEqual({ credid, credstatus: 'issued' })
    expect(campus.logged.map(({ name }) => name)).toContain('delivery.incomplete')
    const events = await campus.runCli('events')
    expect(events.code).toBe(3)
    expect(events.stdout).toMatch(
      /1 incomplete\. The report shows no public link .* set options: \{ publicLink: true \}/,
    )

    // An operator creates the link in the portal; the daily check finds it, as `reconcile --all` does.
    world.sandbox.publish(credid)
    await world.app.ledger.watching.requestAll()
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, incomplete: 0, problem: null })
    expect(await campus.profileOf(ada)).toMatchObject({ credid, credurl: expect.stringMatching(/^http/) })
    expect(world.sandbox.requests()).toHaveLength(1)
  })

  test('that an older version delivered without checking the link is reported by the next daily check', async () => {
    await using campus = await openCampus({ pipeline: noPublicLink, every: '300ms', sweep: '300ms' })
    const { database, ledger } = campus.world.app
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    const deliveryCounts = async () => (await ledger.deliveries.counts())[0]
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ incomplete: 1 })
    await database.query(
      `UPDATE delivery SET state = 'verified', verified_at = now(), looked_at = '-infinity', problem = NULL`,
    )
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 0, incomplete: 1 })
  })

  test('gets its link through the next daily check if the notification was lost', async () => {
    await using campus = await openCampus({ pipeline: noPublicLink, every: '300ms', sweep: '300ms' })
    const { database, ledger } = campus.world.app
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const deliveryCounts = async () => (await ledger.deliveries.counts())[0]
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ incomplete: 1 })
    const nextCheckAt = async () =>
      (await database.query<{ at: Date }>(`SELECT look_at AS at FROM learning_system WHERE system = 'campus'`)).rows[0]
        ?.at
    const before = await nextCheckAt()
    await expect.poll(nextCheckAt, completionWait).not.toEqual(before)
    expect(await deliveryCounts()).toMatchObject({ incomplete: 1, pending: 0 })
    await database.query(`UPDATE issuance SET verifier_link = 'https://verify.example/C-1'`)
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, incomplete: 0, problem: null })
    expect(await campus.profileOf(ada)).toMatchObject({ credurl: 'https://verify.example/C-1' })
  })
})
