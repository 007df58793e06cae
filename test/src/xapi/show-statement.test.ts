// GET and HEAD of a statement over HTTP.

import { describe, expect, test } from 'vitest'
import { activity, changed, id, openEdx, otherId, sample } from './sample-statement.ts'
import { ask, serveForEach, stored, usual } from './served.ts'

serveForEach()

describe('GET', () => {
  test('shows a statement with what was added to it', async () => {
    const { timestamp: _, version: __, ...bare } = changed('context.contextActivities', { parent: activity }, openEdx)
    await ask('POST', '/statements', bare)
    const answer = await ask(
      'GET',
      `/statements?statementId=${String(openEdx.id).toUpperCase()}&format=exact&attachments=false`,
    )
    expect(answer.json).toEqual({
      ...bare,
      context: { contextActivities: { parent: [activity] } },
      timestamp: stored,
      stored,
      authority: { objectType: 'Agent', account: { homePage: 'urn:credsync:xapi', name: 'moodle' } },
      version: '1.0.0',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('last-modified')).toBe('Sun, 01 Mar 2026 12:00:00 GMT')
  })

  test('keeps the timestamp and the version, and nobody names his own authority', async () => {
    await ask('POST', '/statements', { ...openEdx, stored: '2020-01-01T00:00:00Z', authority: sample().actor })
    const { json } = await ask('GET', `/statements?statementId=${openEdx.id}`)
    expect(json).toMatchObject({ timestamp: openEdx.timestamp, version: '1.0.3', stored })
    expect(json.authority.account.name).toBe('moodle')
  })

  test('gives a statement of 2.0 its version, and lists inside a SubStatement', async () => {
    const inner = { ...sample(), objectType: 'SubStatement', context: { contextActivities: { other: activity } } }
    const headers = { ...usual, 'x-experience-api-version': '2.0.0' }
    await ask('POST', '/statements', changed('object', inner, changed('id', id)), headers)
    const { json } = await ask('GET', `/statements?statementId=${id}`, undefined, headers)
    expect(json.version).toBe('2.0.0')
    expect(json.object.context.contextActivities).toEqual({ other: [activity] })
  })

  test('is answered to HEAD without the statement', async () => {
    await ask('POST', '/statements', openEdx)
    expect(await ask('HEAD', `/statements?statementId=${openEdx.id}`)).toMatchObject({ status: 200, text: '' })
    expect(await ask('HEAD', `/statements?statementId=${otherId}`)).toMatchObject({ status: 404, text: '' })
  })

  test.each([
    [404, `?statementId=${otherId}`],
    [400, ''],
    [400, '?statementId=x'],
    [400, `?statementId=${otherId}&format=ids`],
    [400, `?statementId=${otherId}&attachments=true`],
    [400, '?agent=%7B%7D'],
    [400, `?voidedStatementId=${otherId}`],
  ])('is a %i for %s', async (status, query) => {
    expect((await ask('GET', `/statements${query}`)).status).toBe(status)
  })
})
