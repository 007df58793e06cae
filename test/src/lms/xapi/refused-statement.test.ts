// Statements that violate one rule each, with the error message. Rules: xAPI 1.0.3, Data 2.2 to 2.4.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { checkedStatement } from '#src/lms/xapi/statement.ts'
import { StatementFault } from '#src/lms/xapi/value-checks.ts'
import {
  activity,
  agent,
  attachment,
  choices,
  group,
  id,
  question,
  statementRef,
  subStatement,
  withChange,
} from './sample-statement.ts'

describe('a statement is refused', () => {
  test.each<[string, JsonObject]>([
    ['actor is required', withChange('actor')],
    ['verb is required', withChange('verb')],
    ['object is required', withChange('object')],
    ['id must be a UUID', withChange('id', 12345)],
    ['id must be a UUID', withChange('id', 'AA97B177-9383-4934-8543-0F91A7A028368')],
    ['id must be a UUID', withChange('id', 'MA97B177-9383-4934-8543-0F91A7A02836')],
    ['has the property "Actor", which is not allowed', withChange('Actor', agent)],
    ['has the property with an invalid name', withChange('ada@example', 1)],
    ['actor must be an object', withChange('actor', 'ada')],
    ['actor must have exactly one of mbox, mbox_sha1sum, openid, account', withChange('actor', { name: 'Ada' })],
    ['actor must have exactly one of', withChange('actor', { ...agent, openid: 'http://example.com/1' })],
    ['actor.objectType must be "Agent"', withChange('actor.objectType', 'agent')],
    ['actor.name must be a string', withChange('actor.name', null)],
    ['actor.mbox must be "mailto:"', withChange('actor.mbox', 'ada@example.com')],
    ['actor.mbox must be "mailto:"', withChange('actor.mbox', 'mailto:should.fail.com')],
    ['actor.mbox must be "mailto:"', withChange('actor.mbox', '')],
    ['actor.mbox must be "mailto:"', withChange('actor.mbox', ' mailto:ada@example.com')],
    ['actor.mbox must be "mailto:"', withChange('actor.mbox', 'mailto:ada@example.com>')],
    ...[`${'a'.repeat(39)}z`, 'a'.repeat(41), `a${'b'.repeat(40)}`].map((hash): [string, JsonObject] => [
      'actor.mbox_sha1sum must be a SHA-1',
      withChange('actor', { mbox_sha1sum: hash }),
    ]),
    ['actor.openid must be an IRI', withChange('actor', { openid: 'should.fail.com' })],
    ['actor.account.name is required', withChange('actor', { account: { homePage: 'http://example.com' } })],
    ['actor.account.homePage is required', withChange('actor', { account: { name: '3' } })],
    [
      'actor.account.homePage must be an IRI',
      withChange('actor', { account: { homePage: 'ab=c://should.fail.com', name: '3' } }),
    ],
    [
      'actor.account.name must be a string',
      withChange('actor', { account: { homePage: 'http://example.com', name: 3 } }),
    ],
    ['actor has the property "member"', withChange('actor.member', [agent])],
    ['must list its members', withChange('actor', { objectType: 'Group' })],
    ['must list its members', withChange('actor', { objectType: 'Group', member: [] })],
    [
      'actor must not have more than one of',
      withChange('actor', { ...group, ...agent, openid: 'http://example.com/1' }),
    ],
    ['actor.member must be an array', withChange('actor', { ...group, member: agent })],
    ['actor.member[1].objectType must be "Agent"', withChange('actor', { ...group, member: [agent, group] })],
    ['verb must be an object', withChange('verb', 'completed')],
    ['verb.id is required', withChange('verb.id')],
    ['verb.id must be an IRI', withChange('verb.id', 'completed')],
    ['verb.id must be an IRI', withChange('verb.id', 'http://example.com/a b')],
    ['verb.display must be a language map', withChange('verb.display', 'completed')],
    ['verb.display must have at least one language', withChange('verb.display', {})],
    ['verb.display has a key', withChange('verb.display', { a12345: 'x' })],
    ['verb.display in one language must be a string', withChange('verb.display', { en: null })],
    ['object must be an object', withChange('object', 'x')],
    [
      'object.objectType must be one of Activity, Agent, Group, StatementRef, SubStatement',
      withChange('object.objectType', 'activity'),
    ],
    ['object.objectType must be one of', withChange('object.objectType', null)],
    ['object.objectType must be one of', withChange('object.objectType', 'constructor')],
    ['object.id is required', withChange('object', agent)],
    ['object.id must be an IRI', withChange('object.id', 'ab=c://should.fail.com')],
    ['object.definition must be an object', withChange('object.definition', 'x')],
    ['object.definition.type must be an IRI', withChange('object.definition.type', 'course')],
    ['object.definition.moreInfo must be an IRI', withChange('object.definition.moreInfo', null)],
    ['object.definition.name must be a language map', withChange('object.definition.name', 1)],
    ['object.definition.extensions must be an object', withChange('object.definition.extensions', 'x')],
    ['object.definition.extensions has a key', withChange('object.definition.extensions', { x: 1 })],
    [
      'object.definition.interactionType must be "true-false" or "choice"',
      withChange('object', question('Choice', {})),
    ],
    ['so it must have "interactionType"', withChange('object.definition', { correctResponsesPattern: ['x'] })],
    ['so it must have "interactionType"', withChange('object.definition', { steps: choices })],
    ['object.definition.choices must be an array', withChange('object', question('choice', { choices: 'a' }))],
    ['object.definition.choices[0].id is required', withChange('object', question('choice', { choices: [{}] }))],
    [
      'object.definition.scale must give each entry a unique id',
      withChange('object', question('likert', { scale: [...choices, { id: 'a' }] })),
    ],
    [
      'object.definition.source[0].description has a key',
      withChange('object', question('matching', { source: [{ id: 'a', description: { a12345: '' } }] })),
    ],
    [
      'object.definition.correctResponsesPattern[0] must be a string',
      withChange('object', question('numeric', { correctResponsesPattern: [1] })),
    ],
    ['object has the property "definition"', withChange('object', { ...statementRef, definition: {} })],
    ['object.id must be a UUID', withChange('object', { objectType: 'StatementRef', id: activity.id })],
    ['object has the property "id"', withChange('object', { ...subStatement, id })],
    ['object has the property "stored"', withChange('object', { ...subStatement, stored: '2026-11-21T00:02:57Z' })],
    ['object has the property "version"', withChange('object', { ...subStatement, version: '1.0.0' })],
    ['object has the property "authority"', withChange('object', { ...subStatement, authority: agent })],
    ['object.object.objectType must be one of', withChange('object', { ...subStatement, object: subStatement })],
    ['object.actor must have exactly one of', withChange('object', { ...subStatement, actor: {} })],
    [
      'object.context.platform is allowed only',
      withChange('object', { ...subStatement, object: statementRef, context: { platform: 'x' } }),
    ],
    ['result must be an object', withChange('result', 'good')],
    ['result.success must be true or false', withChange('result.success', 'true')],
    ['result.completion must be true or false', withChange('result.completion', 'false')],
    ['result.response must be a string', withChange('result.response', 1)],
    ['result.duration must be an ISO 8601 duration', withChange('result.duration', 'PA1H0M0S')],
    ['result.duration must be an ISO 8601 duration', withChange('result.duration', 12345)],
    ['result.score must be an object', withChange('result.score', 1)],
    ['result.score.max must be a number', withChange('result.score.max', '100')],
    ['result.score.scaled must be a number from -1 to 1', withChange('result.score.scaled', 1.01)],
    ['result.score.scaled must be a number from -1 to 1', withChange('result.score.scaled', -1.01)],
    ['"min" that is less than its "max"', withChange('result.score', { min: 10, max: 10 })],
    ['"raw" between its "min" and its "max"', withChange('result.score', { raw: 11, max: 10 })],
    ['"raw" between its "min" and its "max"', withChange('result.score', { raw: -1, min: 0 })],
    ['result.extensions has a key', withChange('result.extensions', { '': 1 })],
    ['context must be an object', withChange('context', [])],
    ['context.registration must be a UUID', withChange('context.registration', null)],
    ['context.instructor must have exactly one of', withChange('context.instructor', {})],
    ['context.team.objectType is required', withChange('context.team', agent)],
    [
      'context.contextActivities has the property "sibling"',
      withChange('context.contextActivities', { sibling: [activity] }),
    ],
    ['context.contextActivities.parent must be an object', withChange('context.contextActivities', { parent: 'x' })],
    ['context.contextActivities.other[0].id is required', withChange('context.contextActivities', { other: [{}] })],
    ['context.revision is allowed only', withChange('context.revision', '1', withChange('object', statementRef))],
    ['context.platform is allowed only', withChange('context.platform', 'x', withChange('object', group))],
    ['context.language must be an RFC 5646 language tag', withChange('context.language', 'en_US')],
    ['context.statement.objectType is required', withChange('context.statement', { id })],
    ['version must be 1.0', withChange('version', '1.1.0')],
    ['version must be 1.0', withChange('version', '0.9.9')],
    ['authority must have exactly one of', withChange('authority', {})],
    ['authority must be an Agent, or a Group with exactly two', withChange('authority', { ...group, member: [agent] })],
    ['authority must be an Agent, or a Group with exactly two', withChange('authority', { ...group, ...agent })],
    ['attachments must be an array', withChange('attachments', attachment)],
    ['attachments[0] must be an object', withChange('attachments', [1])],
    ['attachments[0].usageType must be an IRI', withChange('attachments', [{ ...attachment, usageType: 'x' }])],
    ...['should fail', ' text/plain', 'text/plain x'].map((contentType): [string, JsonObject] => [
      'attachments[0].contentType must be an Internet media type',
      withChange('attachments', [{ ...attachment, contentType }]),
    ]),
    ...[1.5, -1].map((length): [string, JsonObject] => [
      'attachments[0].length must be a whole number',
      withChange('attachments', [{ ...attachment, length }]),
    ]),
    ...[12345, 'a'.repeat(63), 'z'.repeat(64), `z${'a'.repeat(63)}`, `${'a'.repeat(63)}z`].map(
      (sha2): [string, JsonObject] => [
        'attachments[0].sha2 must be a SHA-2',
        withChange('attachments', [{ ...attachment, sha2 }]),
      ],
    ),
    ['attachments[0].fileUrl must be an IRI', withChange('attachments', [{ ...attachment, fileUrl: 'x' }])],
    ['attachments[0].display must have at least one', withChange('attachments', [{ ...attachment, display: {} }])],
    [
      'attachments[0].description must be a language map',
      withChange('attachments', [{ ...attachment, description: 'x' }]),
    ],
    ['object must be a StatementRef, because', withChange('verb.id', 'http://adlnet.gov/expapi/verbs/voided')],
  ])('with the message: %s', (sentence, statement) => {
    expect(() => checkedStatement(statement, '1.0')).toThrow(sentence)
    expect(() => checkedStatement(statement, '2.0')).toThrow(sentence)
  })

  test.each([
    ['timestamp', '01/011/2015'],
    ['timestamp', '2008-09-15T15:53:00.601-00:00'],
    ['stored', 'now'],
  ])('if its %s is %s, which is not a timestamp in the format of its edition', (key, value) => {
    const statement = withChange(key, value)
    expect(() => checkedStatement(statement, '1.0')).toThrow(`${key} must be an ISO 8601 timestamp`)
    expect(() => checkedStatement(statement, '2.0')).toThrow(`${key} must be an RFC 3339 timestamp`)
  })

  test('without showing the value, wherever it is', () => {
    const secret = 'ada.lovelace@example.com'
    const places = ['id', 'actor', 'actor.mbox', 'verb.id', 'object.objectType', `object.${secret}`, 'result.duration']
    for (const place of places) {
      const refuse = () => checkedStatement(withChange(place, secret), '1.0')
      expect(refuse).toThrow(StatementFault)
      expect(refuse).not.toThrow(/lovelace/)
    }
    expect(() => checkedStatement(withChange('verb.display', { [secret]: 'x' }), '1.0')).not.toThrow(/lovelace/)
  })

  test('with its index in the request', () => {
    expect(() => checkedStatement('x', '1.0')).toThrow(/^The statement must be an object$/)
    expect(() => checkedStatement(withChange('actor'), '1.0')).toThrow(/^actor is required$/)
    expect(() => checkedStatement('x', '1.0', 'statements[2]')).toThrow('statements[2] must be an object')
    expect(() => checkedStatement(withChange('actor', {}), '1.0', 'statements[2]')).toThrow(
      'statements[2].actor must have',
    )
  })
})
