// GET and HEAD of a statement over HTTP.

import { describe, expect, test } from 'vitest'
import { voidedVerb } from '#src/xapi/voiding.ts'
import { activity, attachment, changed, id, openEdx, otherId, reference, sample } from './sample-statement.ts'
import { ask, askForText, rows, serveForEach, stored, usual } from './served.ts'

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
    [400, `?statementId=${otherId}&format=IDS`],
    [400, `?statementId=${otherId}&attachments=yes`],
    [400, `?statementId=${otherId}&limit=1`],
    [400, `?statementId=${otherId}&voidedStatementId=${otherId}`],
    [400, '?agent=%7B%7D'],
    [404, `?voidedStatementId=${otherId}`],
  ])('is a %i for %s', async (status, query) => {
    expect((await ask('GET', `/statements${query}`)).status).toBe(status)
  })
})

describe('a voided statement', () => {
  const voiding = (of: string) => ({
    ...sample(),
    verb: { id: voidedVerb },
    object: { objectType: 'StatementRef', id: of },
  })
  const statusOf = async (parameter: string, of: string) => (await ask('GET', `/statements?${parameter}=${of}`)).status

  test.each(['before', 'after'])('is shown as one only, though what voids it came %s it', async (order) => {
    const both = [changed('id', id), voiding(id.toUpperCase())]
    for (const statement of order === 'after' ? both : both.reverse()) await ask('POST', '/statements', statement)
    expect(await statusOf('statementId', id)).toBe(404)
    expect(await ask('GET', `/statements?voidedStatementId=${id.toUpperCase()}`)).toMatchObject({
      status: 200,
      json: { id },
    })
  })

  test('is never one that voids another', async () => {
    await ask('POST', '/statements', [{ ...voiding(id), id: otherId }, voiding(otherId)])
    expect(await statusOf('statementId', otherId)).toBe(200)
    expect(await statusOf('voidedStatementId', otherId)).toBe(404)
  })

  test('is none that another statement only refers to', async () => {
    await ask('POST', '/statements', [changed('id', id), changed('object', reference)])
    expect(await statusOf('statementId', id)).toBe(200)
  })
})

describe('GET with attachments', () => {
  const shown = `/statements?statementId=${id}&attachments=true`

  test('answers in parts, the first of which is the statement', async () => {
    await ask('POST', '/statements', { ...changed('id', id), attachments: [attachment] })
    const { type, lines } = await askForText(shown)
    expect(type).toBe('multipart/mixed; boundary=statement')
    expect(lines.slice(0, 3)).toEqual(['--statement', 'Content-Type: application/json', ''])
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ id, attachments: [attachment] })
    expect(lines.slice(4)).toEqual(['--statement--', ''])
  })

  test('is refused where the content would have to be there', async () => {
    const { fileUrl: _, ...bare } = attachment
    const raw = JSON.stringify({ ...changed('id', id), attachments: [bare] })
    rows.set(id, { id, digest: '', raw, voids: null })
    expect(await ask('GET', shown)).toMatchObject({ status: 400, json: { error: expect.stringContaining('not kept') } })
  })
})

test('GET with a format shows the statement in it', async () => {
  await ask(
    'POST',
    '/statements',
    changed('id', id, changed('verb.display', { en: 'passed', de: 'bestanden' }, openEdx)),
  )
  const verbIn = async (format: string) => {
    const headers = { ...usual, 'accept-language': 'de' }
    return (await ask('GET', `/statements?statementId=${id}&format=${format}`, undefined, headers)).json.verb
  }
  const verb = String(openEdx.verb && (openEdx.verb as { id: string }).id)
  expect(await verbIn('exact')).toEqual({ id: verb, display: { en: 'passed', de: 'bestanden' } })
  expect(await verbIn('canonical')).toEqual({ id: verb, display: { de: 'bestanden' } })
  expect(await verbIn('ids')).toEqual({ id: verb })
})
