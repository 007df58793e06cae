// Tests the LTI 1.3 platform for one tool: tokens, line items, scores and results (capture 50).

import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { captured, type Lab, openLab } from './captured-site.ts'

const tool = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const clientId = 'aKOUN1Xw1tjOtYl'
const publicKey = tool.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const scope = 'https://purl.imsglobal.org/spec/lti-ags/scope/'
const allScopes = ['lineitem', 'score', 'result.readonly'].map((each) => scope + each).join(' ')
const start = new Date('2026-11-21T00:10:00Z')

interface Platform extends Lab {
  lineItem: string
  token(claims?: Record<string, unknown>, form?: Record<string, string>, key?: typeof tool): Promise<Response>
  /** Sends a GET request with the given token, or by default with one for all scopes. */
  get(url: string, bearer?: string): Promise<Response>
  score(score: Record<string, unknown>, url?: string, contentType?: string): Promise<Response>
  bearer: string
}

async function openPlatform(): Promise<Platform> {
  const lab = await openLab({ tool: { clientId, publicKey } }, start)
  const { sandbox, ada } = lab
  const course = sandbox.addCourse({
    idnumber: 'L',
    shortname: 'L',
    fullname: 'L',
    lineItem: { label: 'Credential (LTI)' },
  })
  sandbox.enroll(ada, course.id)
  const lineItem = course.lineItem ?? ''
  const tokenUrl = `${sandbox.url}/mod/lti/token.php`
  const token: Platform['token'] = async (claims = {}, form = {}, key = tool) => {
    const seconds = start.getTime() / 1000
    const whole = { iss: clientId, sub: clientId, aud: tokenUrl, iat: seconds, exp: seconds + 60, jti: '1', ...claims }
    const assertion = await new SignJWT(whole).setProtectedHeader({ alg: 'RS256' }).sign(key.privateKey)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      scope: allScopes,
      ...form,
    })
    return fetch(tokenUrl, { method: 'POST', body })
  }
  const given = (await (await token()).json()) as { access_token: string }
  const bearer = given.access_token
  return {
    ...lab,
    lineItem,
    token,
    bearer,
    get: (url, held = bearer) => fetch(url, { headers: { authorization: `Bearer ${held}` } }),
    score: (score, url = lineItem.replace('?', '/scores?'), contentType = 'application/vnd.ims.lis.v1.score+json') =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': contentType },
        body: JSON.stringify({ ...fullScore(ada), ...score }),
      }),
  }
}

const fullScore = (user: number) => ({
  userId: String(user),
  scoreGiven: 100,
  scoreMaximum: 100,
  comment: 'Credential urn:uuid:1234 issued https://verify.example/c/1?a=1&b=2',
  timestamp: '2026-11-21T00:17:12.000Z',
  activityProgress: 'Completed',
  gradingProgress: 'FullyGraded',
})

describe('the token endpoint', () => {
  test('returns a bearer token valid for an hour for a signed assertion (50)', async () => {
    const { token } = await openPlatform()
    const answer = await token()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{32}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: allScopes,
    })
  })

  test.each([
    ['another key', {}, {}, stranger, 'invalid_client'],
    ['another client', { iss: 'other', sub: 'other' }, {}, tool, 'invalid_client'],
    ['another audience', { aud: 'https://other.example/token' }, {}, tool, 'invalid_client'],
    ['an assertion that has expired', { exp: start.getTime() / 1000 - 1 }, {}, tool, 'invalid_client'],
    ['no expiry', { exp: undefined }, {}, tool, 'invalid_client'],
    ['another grant', {}, { grant_type: 'password' }, tool, 'unsupported_grant_type'],
    ['no scope', {}, { scope: '' }, tool, 'invalid_request'],
    ['an unknown scope', {}, { scope: 'openid' }, tool, 'invalid_scope'],
    ['an assertion that is not a JWT', {}, { client_assertion: 'x' }, tool, 'invalid_request'],
  ])('refuses %s with 400', async (_what, claims, form, key, error) => {
    const { token } = await openPlatform()
    const answer = await token(claims, form as Record<string, string>, key)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error })
  })
})

describe('the gradebook service', () => {
  test('lists the line item with the captured fields (50)', async () => {
    const { get, lineItem, sandbox } = await openPlatform()
    const answer = await get(lineItem.replace(/\/\d+\/lineitem\?/, '?'))
    const [real] = captured('50-lineitems', sandbox.url) as Record<string, unknown>[]
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual([{ ...real, id: lineItem }])
    expect(await (await get(lineItem)).json()).toEqual({ ...real, id: lineItem })
  })

  test('accepts a score and returns it with the captured fields (50)', async () => {
    const { get, score, lineItem, sandbox, call } = await openPlatform()
    const taken = await score({})
    expect([taken.status, await taken.text()]).toEqual([200, ''])
    const [real] = captured('50-results', sandbox.url) as Record<string, unknown>[]
    const results = lineItem.replace('?', '/results?')
    const expected = [{ ...real, id: `${results}&user_id=3`, scoreOf: lineItem }]
    expect(await (await get(results)).json()).toEqual(expected)
    expect(await (await get(`${results}&user_id=4`)).json()).toEqual([])
    expect(await (await get(`${results}&user_id=ada`)).json()).toEqual(expected)
    // The learner's grade report also shows the comment.
    expect(JSON.stringify(await call('gradereport_user_get_grade_items', { courseid: '4', userid: '3' }))).toContain(
      'urn:uuid:1234',
    )
  })

  test.each([
    ['an older timestamp', { timestamp: '2026-11-21T00:17:11Z' }, 409],
    ['the same timestamp', {}, 409],
    ['an unknown user', { userId: '999' }, 400],
    ['a user who is not enrolled', { userId: '4' }, 400],
    ['no timestamp', { timestamp: undefined }, 400],
    ['an invalid timestamp', { timestamp: 'yesterday' }, 400],
    ['a score that is not a number', { scoreGiven: 'much' }, 400],
    ['no progress', { gradingProgress: undefined }, 400],
    ['a maximum of zero', { scoreMaximum: 0 }, 400],
  ])('refuses %s (50)', async (_what, change, status) => {
    const { score, get, lineItem } = await openPlatform()
    await score({})
    const later = { timestamp: '2026-11-21T00:20:00Z', comment: 'other' }
    const answer = await score(status === 409 ? { ...change, comment: 'other' } : { ...later, ...change })
    expect([answer.status, await answer.text()]).toEqual([status, '[]'])
    expect(await (await get(lineItem.replace('?', '/results?'))).text()).not.toContain('other')
  })

  test('accepts a newer score over an older one', async () => {
    const { score, get, lineItem } = await openPlatform()
    await score({})
    expect((await score({ timestamp: '2026-11-21T00:17:13+00:00', comment: 'newer' })).status).toBe(200)
    expect(await (await get(lineItem.replace('?', '/results?'))).json()).toMatchObject([{ comment: 'newer' }])
  })

  test('refuses a score with its path after the query, and one of another media type (6)', async () => {
    const { score, lineItem } = await openPlatform()
    expect((await score({}, `${lineItem}/scores`)).status).toBe(400)
    expect((await score({}, undefined, 'application/json')).status).toBe(400)
  })

  test.each([
    ['*/*', 200],
    ['application/vnd.ims.lis.v2.lineitem+json', 200],
    ['application/json', 400],
    ['application/vnd.ims.lis.v2.resultcontainer+json', 400],
  ])('answers to Accept: %s with %i', async (accept, status) => {
    const { lineItem, bearer } = await openPlatform()
    const answer = await fetch(lineItem, { headers: { authorization: `Bearer ${bearer}`, accept } })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(await answer.json()).toMatchObject({ status, reason: 'Bad Request', request: { accept } })
  })

  test('refuses a wrong token, one without the scope, and an expired one', async () => {
    const { get, token, lineItem, clock } = await openPlatform()
    expect((await get(lineItem, 'wrong')).status).toBe(401)
    const scores = (await (await token({}, { scope: `${scope}score` })).json()) as { access_token: string }
    expect((await get(lineItem, scores.access_token)).status).toBe(401)
    const readonly = { scope: `${scope}lineitem.readonly` }
    const reading = (await (await token({}, readonly)).json()) as { access_token: string }
    expect((await get(lineItem, reading.access_token)).status).toBe(200)
    expect((await get(lineItem.replace('?', '/results?'), reading.access_token)).status).toBe(401)
    expect((await get(lineItem.replace('type_id=1', 'type_id=2'))).status).toBe(401)
    expect((await get(lineItem)).status).toBe(200)
    await clock.advance(3_600_000)
    expect((await get(lineItem)).status).toBe(401)
  })
})
