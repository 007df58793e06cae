// The credential in the gradebook: a score with a comment, by LTI from end to end, and read back.

import { expect, test } from 'vitest'
import { type Campus, openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'
import { ltiTool } from './support/lti-tool.ts'
import { want } from './support/revoking.ts'

const standing = async ({ world }: Campus) =>
  (await world.app.ledger.tells.standing()).map(({ verified, pending, failed, problem }) => ({
    verified,
    pending,
    failed,
    problem,
  }))
const done = [{ verified: 1, pending: 0, failed: 0, problem: null }]

const lineItemOf = ({ world }: Campus) => {
  const [target] = world.app.learning.targets
  return target?.settings.to === 'lti' ? target.settings.lineItem : ''
}
const platformOf = ({ world }: Campus) => world.app.learning.platform('gradebook')

/** What the gradebook shows of a learner: points and comment. */
async function shown(campus: Campus, learner: number): Promise<[number | null, string] | null> {
  const looked = await platformOf(campus).results(lineItemOf(campus), String(learner))
  const [result] = looked.kind === 'results' ? looked.results : []
  return result ? [result.score, result.comment] : null
}

/** Statuses of the scores that were posted. */
const posted = ({ lms }: Campus) =>
  lms.journal().flatMap((entry) => (entry.kind === 'answered' && entry.what === 'POST scores' ? [entry.status] : []))

const wanted = async ({ world }: Campus) =>
  (await world.app.database.query<{ wanted: string }>('SELECT wanted FROM tell')).rows.map((row) => row.wanted)

describeWithDatabase('the gradebook of a course', () => {
  test('shows the credential with its link, and then that it was revoked', async () => {
    await using campus = await openCampus({ every: '300ms', ...ltiTool })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => standing(campus), soon).toEqual(done)
    const credential = campus.world.sandbox.requests()[0]?.credentialId
    expect(await shown(campus, ada)).toEqual([100, expect.stringMatching(/^Credential \S+ issued: https?:\/\/\S+$/)])
    expect((await shown(campus, ada))?.[1]).toContain(`${credential} `)
    await want(campus.world, 1)
    await expect.poll(() => shown(campus, ada), soon).toEqual([100, `Credential ${credential} revoked`])
    await expect.poll(() => standing(campus), soon).toEqual(done)
    expect(posted(campus)).toEqual([200, 200])
  })

  test('keeps the grade that a teacher gives later, and is not asked to take ours again', async () => {
    await using campus = await openCampus({ every: '300ms', ...ltiTool })
    const ada = campus.enrol('ada')
    const byTeacher = { userId: String(ada), scoreGiven: 80, scoreMaximum: 100, comment: 'well done' }
    const at = new Date(Date.now() + 3_600_000)
    expect(await platformOf(campus).score(lineItemOf(campus), { ...byTeacher, at })).toMatchObject({ kind: 'verified' })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => standing(campus), soon).toEqual(done)
    await want(campus.world, 1)
    await expect.poll(() => wanted(campus), soon).toEqual(['revoked'])
    await expect.poll(() => standing(campus), soon).toEqual(done)
    expect(posted(campus)).toEqual([200, 409, 409])
    expect(await shown(campus, ada)).toEqual([80, 'well done'])
  })
})
