// A credential in the gradebook, from end to end: a score with a comment is delivered by LTI and read back.

import { expect, test } from 'vitest'
import { ltiSystem } from '#src/extensions/lms/systems/lti.ts'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { ltiTool } from '#test/support/lti-campus-options.ts'
import { requestRevocation } from '#test/support/revocation-steps.ts'

const deliveryCounts = async ({ world }: Campus) =>
  (await world.app.ledger.deliveries.counts()).map(({ verified, pending, failed, problem }) => ({
    verified,
    pending,
    failed,
    problem,
  }))
const oneVerified = [{ verified: 1, pending: 0, failed: 0, problem: null }]

const lineItemOf = ({ world }: Campus) => {
  const [target] = world.app.learning.targets
  return target?.settings.to === 'lti' ? target.settings.lineItem : ''
}
const platformOf = ({ world }: Campus) => world.app.learning.client(ltiSystem, 'gradebook')

/** Returns what the gradebook shows for a learner: points and comment. */
async function gradebookEntry(campus: Campus, learner: number): Promise<[number | null, string] | null> {
  const [result] = (await platformOf(campus).results(lineItemOf(campus), String(learner))) ?? []
  return result ? [result.score, result.comment] : null
}

/** The response statuses of the posted scores. */
const postStatuses = ({ lms }: Campus) =>
  lms.journal().flatMap((entry) => (entry.kind === 'answered' && entry.what === 'POST scores' ? [entry.status] : []))

const wantedStates = async ({ world }: Campus) =>
  (await world.app.database.query<{ wanted: string }>('SELECT wanted FROM delivery')).rows.map((row) => row.wanted)

describeWithDatabase('the gradebook of a course', () => {
  test('shows the credential with its link, and later that it was revoked', async () => {
    await using campus = await openCampus({ every: '300ms', ...ltiTool })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => deliveryCounts(campus), completionWait).toEqual(oneVerified)
    const credential = campus.world.sandbox.requests()[0]?.credentialId
    expect(await gradebookEntry(campus, ada)).toEqual([
      100,
      expect.stringMatching(/^Credential \S+ issued: https?:\/\/\S+$/),
    ])
    expect((await gradebookEntry(campus, ada))?.[1]).toContain(`${credential} `)
    await requestRevocation(campus.world, 1)
    await expect
      .poll(() => gradebookEntry(campus, ada), completionWait)
      .toEqual([100, `Credential ${credential} revoked`])
    await expect.poll(() => deliveryCounts(campus), completionWait).toEqual(oneVerified)
    expect(postStatuses(campus)).toEqual([200, 200])
  })

  test('keeps a teacher’s later grade: later scores are refused and not repeated', async () => {
    await using campus = await openCampus({ every: '300ms', ...ltiTool })
    const ada = campus.enroll('ada')
    const byTeacher = { userId: String(ada), scoreGiven: 80, scoreMaximum: 100, comment: 'well done' }
    const at = new Date(Date.now() + 3_600_000)
    expect(await platformOf(campus).score(lineItemOf(campus), { ...byTeacher, at })).toMatchObject({ kind: 'verified' })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => deliveryCounts(campus), completionWait).toEqual(oneVerified)
    await requestRevocation(campus.world, 1)
    await expect.poll(() => wantedStates(campus), completionWait).toEqual(['revoked'])
    await expect.poll(() => deliveryCounts(campus), completionWait).toEqual(oneVerified)
    expect(postStatuses(campus)).toEqual([200, 409, 409])
    expect(await gradebookEntry(campus, ada)).toEqual([80, 'well done'])
  })
})
