// GET and HEAD of a statement over HTTP.

import { describe, expect, test } from 'vitest'
import { voidedVerb } from '#src/lms/xapi/voiding.ts'
import { activity, attachment, id, openEdx, otherId, sample, statementRef, withChange } from './sample-statement.ts'
import { rows, sendForText, sendRequest, serveForEach, storedAt, usualHeaders } from './serve-receiver.ts'

serveForEach()

describe('a request for a statement', () => {
  test('returns a statement with the properties that the receiver added', async () => {
    const {
      timestamp: _,
      version: __,
      ...bare
    } = withChange('context.contextActivities', { parent: activity }, openEdx)
    await sendRequest('POST', '/statements', bare)
    const answer = await sendRequest(
      'GET',
      `/statements?statementId=${String(openEdx.id).toUpperCase()}&format=exact&attachments=false`,
    )
    expect(answer.json).toEqual({
      ...bare,
      context: { contextActivities: { parent: [activity] } },
      timestamp: storedAt,
      stored: storedAt,
      authority: { objectType: 'Agent', account: { homePage: 'urn:credsync:xapi', name: 'moodle' } },
      version: '1.0.0',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('last-modified')).toBe('Sun, 01 Mar 2026 12:00:00 GMT')
  })

  test('returns the timestamp and the version as sent, and the receiver as the authority', async () => {
    await sendRequest('POST', '/statements', { ...openEdx, stored: '2020-01-01T00:00:00Z', authority: sample().actor })
    const { json } = await sendRequest('GET', `/statements?statementId=${openEdx.id}`)
    expect(json).toMatchObject({ timestamp: openEdx.timestamp, version: '1.0.3', stored: storedAt })
    expect(json.authority.account.name).toBe('moodle')
  })

  test('returns a 2.0 statement with its version, and lists inside a SubStatement', async () => {
    const inner = { ...sample(), objectType: 'SubStatement', context: { contextActivities: { other: activity } } }
    const headers = { ...usualHeaders, 'x-experience-api-version': '2.0.0' }
    await sendRequest('POST', '/statements', withChange('object', inner, withChange('id', id)), headers)
    const { json } = await sendRequest('GET', `/statements?statementId=${id}`, undefined, headers)
    expect(json.version).toBe('2.0.0')
    expect(json.object.context.contextActivities).toEqual({ other: [activity] })
  })

  test('made with HEAD returns no body', async () => {
    await sendRequest('POST', '/statements', openEdx)
    expect(await sendRequest('HEAD', `/statements?statementId=${openEdx.id}`)).toMatchObject({ status: 200, text: '' })
    expect(await sendRequest('HEAD', `/statements?statementId=${otherId}`)).toMatchObject({ status: 404, text: '' })
  })

  test.each([
    [404, `?statementId=${otherId}`],
    [400, ''],
    [400, '?statementId=x'],
    [400, `?statementId=${otherId}&format=IDS`],
    [400, `?statementId=${otherId}&attachments=yes`],
    [400, `?statementId=${otherId}&limit=1`],
    [400, `?statementId=${otherId}&voidedStatementId=${otherId}`],
    [400, '?agent=%7B%7D'],
    [404, `?voidedStatementId=${otherId}`],
  ])('returns %i for %s', async (status, query) => {
    expect((await sendRequest('GET', `/statements${query}`)).status).toBe(status)
  })
})

test('a parameter with another value is refused with the values that it may have', async () => {
  const { json } = await sendRequest('GET', `/statements?statementId=${id}&attachments=yes`)
  expect(json.error).toBe('The parameter attachments must be false or true.')
})

describe('a voided statement', () => {
  const voiding = (id: string) => ({
    ...sample(),
    verb: { id: voidedVerb },
    object: { objectType: 'StatementRef', id: id },
  })
  const statusOf = async (parameter: string, id: string) =>
    (await sendRequest('GET', `/statements?${parameter}=${id}`)).status

  test.each(['before', 'after'])(
    'is returned only as voided, even if the voiding statement arrived %s the voided one',
    async (order) => {
      const statements = [withChange('id', id), voiding(id.toUpperCase())]
      for (const statement of order === 'after' ? statements : statements.reverse())
        await sendRequest('POST', '/statements', statement)
      const asValid = await sendRequest('GET', `/statements?statementId=${id}`)
      expect(asValid).toMatchObject({ status: 404, json: { error: 'The statement with this id is voided.' } })
      expect(await sendRequest('GET', `/statements?voidedStatementId=${id.toUpperCase()}`)).toMatchObject({
        status: 200,
        json: { id },
      })
    },
  )

  test('is never a voiding statement', async () => {
    await sendRequest('POST', '/statements', [{ ...voiding(id), id: otherId }, voiding(otherId)])
    const asVoided = await sendRequest('GET', `/statements?voidedStatementId=${otherId}`)
    expect(asVoided.json.error).toContain('is not voided')
    expect(await statusOf('statementId', otherId)).toBe(200)
    expect(await statusOf('voidedStatementId', otherId)).toBe(404)
  })

  test('is not just any statement to which another one refers', async () => {
    await sendRequest('POST', '/statements', [withChange('id', id), withChange('object', statementRef)])
    expect(await statusOf('statementId', id)).toBe(200)
  })
})

describe('a request for a statement with attachments', () => {
  const pathWithAttachments = `/statements?statementId=${id}&attachments=true`

  test('returns a multipart body that contains the statement', async () => {
    await sendRequest('POST', '/statements', { ...withChange('id', id), attachments: [attachment] })
    const { type, lines } = await sendForText(pathWithAttachments)
    expect(type).toBe('multipart/mixed; boundary=statement')
    expect(lines.slice(0, 3)).toEqual(['--statement', 'Content-Type: application/json', ''])
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ id, attachments: [attachment] })
    expect(lines.slice(4)).toEqual(['--statement--', ''])
  })

  test('is refused if the contents of an attachment would be required', async () => {
    const { fileUrl: _, ...bare } = attachment
    const raw = JSON.stringify({ ...withChange('id', id), attachments: [attachment, bare] })
    rows.set(id, { id, digest: '', raw, voids: null })
    expect(await sendRequest('GET', pathWithAttachments)).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('not stored') },
    })
  })
})

test('a request with a format returns the statement in that format', async () => {
  await sendRequest(
    'POST',
    '/statements',
    withChange('id', id, withChange('verb.display', { en: 'passed', de: 'bestanden' }, openEdx)),
  )
  const verbIn = async (format: string) => {
    const headers = { ...usualHeaders, 'accept-language': 'de' }
    return (await sendRequest('GET', `/statements?statementId=${id}&format=${format}`, undefined, headers)).json.verb
  }
  const verb = String(openEdx.verb && (openEdx.verb as { id: string }).id)
  expect(await verbIn('exact')).toEqual({ id: verb, display: { en: 'passed', de: 'bestanden' } })
  expect(await verbIn('canonical')).toEqual({ id: verb, display: { de: 'bestanden' } })
  expect(await verbIn('ids')).toEqual({ id: verb })
})
