// Writes a score to a platform: what the platform shows afterwards, and how every response is classified.

import { describe, expect, test } from 'vitest'
import { scoreOf } from '#src/extensions/lms/lti/score.ts'
import { failureOf, link, openClient, scoreAt } from './open-client.ts'
import { send } from './send-with-fetch.ts'

const at = '2026-03-01T11:00:00.250Z'

describe('a score', () => {
  test('is posted below the line item’s path, before its query, and read back', async () => {
    const { ags, platform } = await openClient()
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    expect(platform.calls()).toEqual(['POST /token', 'GET /results', 'POST /scores', 'GET /results'])
    const posted = platform.requests[2]
    expect(posted?.path).toBe('/mod/lti/services.php/2/lineitems/5/lineitem/scores?type_id=1')
    expect(platform.requests[3]?.path).toBe('/mod/lti/services.php/2/lineitems/5/lineitem/results?type_id=1&user_id=3')
    expect(JSON.parse(posted?.body ?? '')).toEqual({
      userId: '3',
      scoreGiven: 100,
      scoreMaximum: 100,
      comment: `Credential urn:uuid:1234 issued: ${link}`,
      timestamp: at,
      activityProgress: 'Completed',
      gradingProgress: 'FullyGraded',
    })
  })

  test('that is already there is not written again', async () => {
    const { ags, platform } = await openClient()
    await ags.score(platform.lineItem, scoreAt(at))
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    expect(platform.calls().filter((call) => call === 'POST /scores')).toHaveLength(1)
  })

  test('whose response is lost is retried later, and then found', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.responsesToLose = 1
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'away' })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    expect(platform.calls().filter((call) => call === 'POST /scores')).toHaveLength(1)
  })

  test('without a response before the deadline is retried later', async () => {
    const { ags, platform } = await openClient({
      send: (request) => send(request.url.includes('/scores') ? { ...request, deadlineMs: 50 } : request),
    })
    platform.behavior.replacements = [{ request: /scores/, reply: 'silence' }]
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({
      kind: 'away',
      sentence: expect.stringMatching(`^${new URL(platform.base).host} did not respond \\(DEADLINE\\)\\. Check`),
    })
  })

  test('for a revocation replaces the issued score', async () => {
    const { ags, platform } = await openClient()
    const delivered = { userId: '3', credentialId: 'C-1', link }
    await ags.score(platform.lineItem, scoreOf({ ...delivered, kind: 'issued', at: new Date(at) }, 100))
    const revoked = scoreOf({ ...delivered, kind: 'revoked', at: new Date('2026-03-02T11:00:00Z') }, 100)
    expect(await ags.score(platform.lineItem, revoked)).toEqual({ kind: 'verified' })
    expect(platform.grades.get('3')).toMatchObject({ score: 100, comment: `Credential C-1 revoked: ${link}` })
  })

  test('that is older than the existing score is done: the platform keeps the newer one', async () => {
    const { ags, platform } = await openClient()
    const byTeacher = {
      score: 80,
      maximum: 100,
      comment: 'well done',
      atSeconds: Date.parse('2026-03-02T00:00:00Z') / 1_000,
    }
    platform.grades.set('3', byTeacher)
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    platform.behavior.showsTimes = false
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    expect(platform.grades.get('3')).toEqual(byTeacher)
  })

  test('that is refused as older, although nothing newer exists, is reported to the operator', async () => {
    const { ags, platform } = await openClient()
    const sameSecond = {
      score: 80,
      maximum: 100,
      comment: 'other',
      atSeconds: Date.parse('2026-03-01T11:00:00Z') / 1_000,
    }
    platform.grades.set('3', sameSecond)
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'record' })
  })

  test('that arrived another way between check and call is recognized after the 409', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /results/, reply: { status: 200, body: '[]' } }]
    const { comment } = scoreAt(at)
    platform.grades.set('3', { score: 100, maximum: 100, comment, atSeconds: Math.floor(Date.parse(at) / 1_000) })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
    expect(platform.calls()).toContain('POST /scores')
  })

  test('counts as written, not verified, if the platform shows no results to this tool', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.scopes = ['score']
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
    expect(platform.grades.get('3')?.comment).toContain(link)
    // On such a platform, a repeated score cannot be distinguished from another tool's score.
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'record' })
  })

  test('counts as written, not verified, if the platform shows no comments, or not this learner yet', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.showsComments = false
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
    const empty = { request: /results/, reply: { status: 200, body: '[]' } }
    platform.behavior.replacements = [empty, empty]
    expect(await ags.score(platform.lineItem, scoreAt(at, { userId: '4' }))).toEqual({ kind: 'written' })
  })

  test('that the platform accepts and changes is reported to the operator', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.onScoreAccepted = (kept) => {
      kept.score = 60
    }
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'record' })
  })

  test('for a learner unknown to the platform affects this record only', async () => {
    const { ags, platform } = await openClient()
    const outcome = await failureOf(ags.score(platform.lineItem, scoreAt(at, { userId: 'nobody-9' })))
    expect(outcome).toMatchObject({ kind: 'record' })
    expect(JSON.stringify(outcome)).not.toContain('nobody-9')
  })

  test.each([
    [400, 'record'],
    [412, 'record'],
    [413, 'record'],
    [422, 'record'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [405, 'refused'],
    [410, 'refused'],
    [303, 'refused'],
    [408, 'away'],
    [429, 'away'],
    [500, 'away'],
    [503, 'away'],
  ])('that gets the response %i has the result %s', async (status, kind) => {
    const { ags, platform } = await openClient()
    const reply = { status, body: 'Grace Hopper, token secret-token-1' }
    platform.behavior.replacements = [
      { request: /scores/, reply },
      { request: /scores/, reply },
    ]
    const outcome = await failureOf(ags.score(platform.lineItem, scoreAt(at)))
    expect(outcome).toMatchObject({ kind, sentence: expect.stringContaining(new URL(platform.base).host) })
    expect(JSON.stringify(outcome)).not.toMatch(/Grace|secret-token|user_id/)
    expect(outcome).toMatchObject({ retryAfterMs: null })
  })

  test.each([201, 202, 204])('that gets the response %i was accepted', async (status) => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /scores/, reply: { status } }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
  })

  test('that gets an unrelated page as response is retried later', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [
      { request: /scores/, reply: { status: 200, body: '<!DOCTYPE html><title>Log in' } },
    ]
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'away' })
  })

  test('waits as long as the platform requests', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /scores/, reply: { status: 429, headers: { 'retry-after': '17' } } }]
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({
      kind: 'away',
      retryAfterMs: 17_000,
    })
  })

  test('is not sent while the platform cannot show the existing score', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /results/, reply: { status: 503 } }]
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'away' })
    expect(platform.calls()).not.toContain('POST /scores')
  })

  test('that was accepted but could not be read back is checked again later', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [
      { request: /results/, reply: null },
      { request: /results/, reply: { status: 500 } },
    ]
    expect(await failureOf(ags.score(platform.lineItem, scoreAt(at)))).toMatchObject({ kind: 'away' })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified' })
  })

  test.each(['http://lms.example/lineitem', 'https://user:hush-7@lms.example/lineitem', 'lineitem 5'])(
    'is not sent to an unsafe address such as %s',
    async (address) => {
      const { ags, platform } = await openClient()
      const outcome = await failureOf(ags.score(address, scoreAt(at)))
      expect(outcome).toMatchObject({ kind: 'refused' })
      expect(JSON.stringify(outcome)).not.toContain('hush-7')
      expect(platform.requests).toEqual([])
    },
  )
})
