// A score written to a platform: what it shows afterwards, and what every answer of it means.

import { describe, expect, test } from 'vitest'
import { scoreOf } from '#src/lti/score.ts'
import { link, opened, scoreAt } from './opened.ts'
import { send } from './send.ts'

const at = '2026-03-01T11:00:00.250Z'

describe('a score', () => {
  test('is written below the line item, before its query, and read back', async () => {
    const { ags, platform } = await opened()
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'ours' })
    expect(platform.calls()).toEqual(['POST /token', 'GET /results', 'POST /scores', 'GET /results'])
    const posted = platform.arrived[2]
    expect(posted?.path).toBe('/mod/lti/services.php/2/lineitems/5/lineitem/scores?type_id=1')
    expect(platform.arrived[3]?.path).toBe('/mod/lti/services.php/2/lineitems/5/lineitem/results?type_id=1&user_id=3')
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

  test('that stands there already is not written again', async () => {
    const { ags, platform } = await opened()
    await ags.score(platform.lineItem, scoreAt(at))
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'ours' })
    expect(platform.calls().filter((call) => call === 'POST /scores')).toHaveLength(1)
  })

  test('whose answer is lost comes back later, and is then found', async () => {
    const { ags, platform } = await opened()
    platform.knobs.loseAnswers = 1
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'later' })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'ours' })
    expect(platform.calls().filter((call) => call === 'POST /scores')).toHaveLength(1)
  })

  test('that gets no answer until the deadline comes back later', async () => {
    const { ags, platform } = await opened({
      send: (ask) => send(ask.url.includes('/scores') ? { ...ask, deadlineMs: 50 } : ask),
    })
    platform.knobs.instead = [{ of: /scores/, reply: 'silence' }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({
      kind: 'later',
      why: `${new URL(platform.base).host} gave no answer (DEADLINE).`,
    })
  })

  test('of a revocation takes the place of the issued one, with or without the points', async () => {
    for (const [onRevocation, points] of [
      ['keep', 100],
      ['zero', 0],
    ] as const) {
      const { ags, platform } = await opened()
      const grading = { scoreMaximum: 100, onRevocation }
      const told = { userId: '3', credentialId: 'C-1', link }
      await ags.score(platform.lineItem, scoreOf({ ...told, kind: 'issued', at: new Date(at) }, grading))
      const revoked = scoreOf({ ...told, kind: 'revoked', at: new Date('2026-03-02T11:00:00Z') }, grading)
      expect(await ags.score(platform.lineItem, revoked)).toEqual({ kind: 'verified', standing: 'ours' })
      expect(platform.grades.get('3')).toMatchObject({ score: points, comment: `Credential C-1 revoked: ${link}` })
    }
  })

  test('that is older than what stands there is done with: the platform keeps the newer one', async () => {
    const { ags, platform } = await opened()
    const byTeacher = {
      score: 80,
      maximum: 100,
      comment: 'well done',
      atSeconds: Date.parse('2026-03-02T00:00:00Z') / 1_000,
    }
    platform.grades.set('3', byTeacher)
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'newer' })
    platform.knobs.showsTimes = false
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'newer' })
    expect(platform.grades.get('3')).toEqual(byTeacher)
  })

  test('that is refused as older, where nothing newer stands, is for a person to look at', async () => {
    const { ags, platform } = await opened()
    const sameSecond = {
      score: 80,
      maximum: 100,
      comment: 'other',
      atSeconds: Date.parse('2026-03-01T11:00:00Z') / 1_000,
    }
    platform.grades.set('3', sameSecond)
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'record' })
  })

  test('that arrived by another way between the look and the call is recognised after the 409', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /results/, reply: { status: 200, body: '[]' } }]
    const { comment } = scoreAt(at)
    platform.grades.set('3', { score: 100, maximum: 100, comment, atSeconds: Math.floor(Date.parse(at) / 1_000) })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'ours' })
    expect(platform.calls()).toContain('POST /scores')
  })

  test('is only written where the platform shows no results to this tool', async () => {
    const { ags, platform } = await opened()
    platform.knobs.scopes = ['score']
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
    expect(platform.grades.get('3')?.comment).toContain(link)
    // The same again can't be told from a strange one there.
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'record' })
  })

  test('is only written where the platform shows no comments, or not this learner yet', async () => {
    const { ags, platform } = await opened()
    platform.knobs.showsComments = false
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
    const empty = { of: /results/, reply: { status: 200, body: '[]' } }
    platform.knobs.instead = [empty, empty]
    expect(await ags.score(platform.lineItem, scoreAt(at, { userId: '4' }))).toEqual({ kind: 'written' })
  })

  test('that the platform takes and changes is for a person to look at', async () => {
    const { ags, platform } = await opened()
    platform.knobs.onTaken = (kept) => {
      kept.score = 60
    }
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'record' })
  })

  test('of a learner whom the platform does not know is a matter of this record only', async () => {
    const { ags, platform } = await opened()
    const outcome = await ags.score(platform.lineItem, scoreAt(at, { userId: 'nobody-9' }))
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
    [408, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('that is answered with %i is %s', async (status, kind) => {
    const { ags, platform } = await opened()
    const reply = { status, body: 'Grace Hopper, token secret-token-1' }
    platform.knobs.instead = [
      { of: /scores/, reply },
      { of: /scores/, reply },
    ]
    const outcome = await ags.score(platform.lineItem, scoreAt(at))
    expect(outcome).toMatchObject({ kind, why: expect.stringContaining(new URL(platform.base).host) })
    expect(JSON.stringify(outcome)).not.toMatch(/Grace|secret-token|user_id/)
    expect(outcome).not.toHaveProperty('afterMs')
  })

  test.each([201, 202, 204])('that is answered with %i was taken', async (status) => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /scores/, reply: { status } }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'written' })
  })

  test('that is answered by a page of somebody else was not taken', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /scores/, reply: { status: 200, body: '<!DOCTYPE html><title>Log in' } }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'later' })
  })

  test('waits as long as the platform says', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /scores/, reply: { status: 429, headers: { 'retry-after': '17' } } }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'later', afterMs: 17_000 })
  })

  test('is not sent while the platform cannot say what stands there', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /results/, reply: { status: 503 } }]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'later' })
    expect(platform.calls()).not.toContain('POST /scores')
  })

  test('that was taken and could not be read back is looked at again later', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [
      { of: /results/, reply: null },
      { of: /results/, reply: { status: 500 } },
    ]
    expect(await ags.score(platform.lineItem, scoreAt(at))).toMatchObject({ kind: 'later' })
    expect(await ags.score(platform.lineItem, scoreAt(at))).toEqual({ kind: 'verified', standing: 'ours' })
  })

  test.each(['http://lms.example/lineitem', 'https://user:hush-7@lms.example/lineitem', 'lineitem 5'])(
    'goes to no unsafe address such as %s',
    async (address) => {
      const { ags, platform } = await opened()
      const outcome = await ags.score(address, scoreAt(at))
      expect(outcome).toMatchObject({ kind: 'refused' })
      expect(JSON.stringify(outcome)).not.toContain('hush-7')
      expect(platform.arrived).toEqual([])
    },
  )
})
