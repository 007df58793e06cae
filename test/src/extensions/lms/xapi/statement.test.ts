// Which statements are taken, which are refused with which sentence, and which count as the same.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completionOf, courseTypes } from '#src/extensions/lms/xapi/completion.ts'
import { checkStatement, type Statement, statementDigest, voidedId } from '#src/extensions/lms/xapi/statement.ts'
import { capturedStatements } from './captured-requests.ts'
import { id, type Json, openEdx, otherId, sample, voiding, withChange } from './sample-statement.ts'

const faultOf = (value: unknown, path = '') => {
  const checked = checkStatement(value, path)
  return checked.ok ? null : checked.fault
}

test.each<[string, Json]>([
  ['of Open edX', openEdx],
  ['that voids another', voiding],
  ['about a person', withChange('object', { objectType: 'Agent', mbox: 'mailto:ada@example.com' })],
  ['of a group', withChange('actor', { objectType: 'Group', member: [] })],
  ['by openid', withChange('actor', { openid: 'https://id.example.org/1' })],
  ['by a hash', withChange('actor', { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' })],
  ['with properties that no edition has', withChange('context.whatever', { deep: [null] })],
  ['with a description of an attachment', withChange('attachments', [{ usageType: 'x' }])],
  ['with a time of seven digits', withChange('timestamp', '2026-11-20T10:00:00.1234567+01:00')],
])('a statement %s is taken', (_, statement) => {
  expect(checkStatement(statement, '')).toEqual({ ok: true, value: statement })
})

test.each(['10-moodle-ok', '15-moodle-recertified', '16-moodle-failed-then-replayed'])(
  'every statement of %s is taken',
  (name) => {
    for (const statement of capturedStatements(name)) expect(faultOf(statement)).toBeNull()
  },
)

describe('a statement is refused', () => {
  const noIdentifier = 'actor must have exactly one of mbox, mbox_sha1sum, openid, account'
  test.each<[string, unknown]>([
    ['The statement must be of the type object', 'x'],
    ['id must be a UUID', withChange('id', 'x')],
    ['actor is required', withChange('actor')],
    ['actor must be of the type object', withChange('actor', null)],
    [noIdentifier, withChange('actor', {})],
    [noIdentifier, withChange('actor.openid', 'https://id.example.org/1')],
    ['actor.objectType must be "Agent" or "Group"', withChange('actor.objectType', 'Person')],
    ['actor.mbox must be "mailto:" and an e-mail address', withChange('actor.mbox', 'ada@example.com')],
    ['actor.mbox must be of the type string', withChange('actor.mbox', null)],
    ['actor.account.homePage is required', withChange('actor', { account: { name: '3' } })],
    ['actor.account.homePage must be an IRI', withChange('actor', { account: { homePage: 'x', name: '3' } })],
    ['actor.account.name must be of the type string', withChange('actor', { account: { homePage: 'a:b', name: 3 } })],
    ['verb.id must be an IRI with its scheme', withChange('verb.id', 'completed')],
    ['object is required', withChange('object')],
    ['object.id is required', withChange('object', {})],
    ['object.id must be an IRI', withChange('object.id', 'a b')],
    ['result.success must be of the type boolean', withChange('result.success', 'false')],
    ['result.completion must be of the type boolean', withChange('result.completion', 0)],
    ['timestamp must be an ISO 8601 date and time', withChange('timestamp', '01/011/2015')],
    ['object.objectType must be "StatementRef", because the verb is "voided"', { ...sample, verb: voiding.verb }],
    ['object.id must be a UUID', withChange('object.id', 'x', voiding)],
  ])('with the sentence: %s', (sentence, statement) => {
    expect(faultOf(statement)).toContain(sentence)
  })

  test('with its place in the request', () => {
    expect(faultOf('x', 'statements[2]')).toBe('statements[2] must be of the type object')
    expect(faultOf(withChange('actor', {}), 'statements[2]')).toMatch(/^statements\[2\]\.actor must have/)
  })

  test('without showing a value, wherever it is', () => {
    const secret = 'ada.lovelace@example.com'
    for (const place of ['id', 'actor', 'actor.mbox', 'actor.objectType', 'verb.id', 'result.success', 'timestamp'])
      expect(faultOf(withChange(place, secret))).not.toMatch(/^null$|lovelace/)
  })
})

test('any JSON is refused or can be read', () => {
  const read = (value: unknown) => {
    const checked = checkStatement(value, '')
    if (!checked.ok) return void expect(checked.fault).not.toBe('')
    expect(statementDigest(checked.value)).toMatch(/^[0-9a-f]{64}$/)
    completionOf(checked.value, { activityTypes: courseTypes, coursePointer: null })
  }
  fc.assert(fc.property(fc.jsonValue(), read))
  const places = ['actor', 'actor.account.name', 'verb', 'object', 'object.objectType', 'object.definition.type']
  places.push('result', 'context', 'timestamp', 'stored', 'object.definition', 'id')
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), (place, value) =>
      read(withChange(place, value, openEdx)),
    ),
    { numRuns: 1000 },
  )
})

test('a voiding names the voided statement in lower case', () => {
  expect([voidedId(voiding as Statement), voidedId(openEdx as Statement)]).toEqual([id, null])
})

describe('the digest', () => {
  const digest = (statement: Json) => statementDigest(statement as Statement)
  const original = digest(openEdx)

  test.each<[string, Json]>([
    ['its id, which is compared apart', withChange('id', otherId, openEdx)],
    ['what a store adds', { ...openEdx, stored: '2026-11-20T10:00:01Z', authority: sample.actor, version: '1.0.0' }],
    ['the words of the verb', withChange('verb.display', { de: 'bestanden' }, openEdx)],
    ['the definition of the activity', withChange('object.definition', undefined, openEdx)],
    ['the notation of the time', withChange('timestamp', '2026-11-20T11:00:00.123456+01:00', openEdx)],
    ['the order of properties', Object.fromEntries(Object.entries(openEdx).reverse())],
  ])('does not depend on %s', (_, statement) => {
    expect(digest(statement)).toBe(original)
  })

  test.each<[string, unknown]>([
    ['actor.account.name', '3'],
    ['verb.id', 'http://adlnet.gov/expapi/verbs/completed'],
    ['object.id', 'http://localhost:18000/course/other'],
    ['timestamp', '2026-11-20T10:00:01Z'],
    ['timestamp', undefined],
    ['result.success', false],
    ['context.registration', id],
  ])('depends on %s', (path, value) => {
    expect(digest(withChange(path, value, openEdx))).not.toBe(original)
  })
})
