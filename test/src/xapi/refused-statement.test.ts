// Statements that break one rule each, and the sentence that says so. Rules: xAPI 1.0.3, Data 2.2 to 2.4.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/xapi/json.ts'
import { checkedStatement } from '#src/xapi/statement.ts'
import {
  activity,
  agent,
  attachment,
  changed,
  choices,
  group,
  id,
  question,
  reference,
  sub,
} from './sample-statement.ts'

describe('a statement is refused', () => {
  test.each<[string, JsonObject]>([
    ['actor is required', changed('actor')],
    ['verb is required', changed('verb')],
    ['object is required', changed('object')],
    ['id must be a UUID', changed('id', 12345)],
    ['id must be a UUID', changed('id', 'AA97B177-9383-4934-8543-0F91A7A028368')],
    ['id must be a UUID', changed('id', 'MA97B177-9383-4934-8543-0F91A7A02836')],
    ['has the property "Actor", which is not allowed', changed('Actor', agent)],
    ['has the property with a strange name', changed('ada@example', 1)],
    ['actor must be an object', changed('actor', 'ada')],
    ['actor must have exactly one of', changed('actor', { name: 'Ada' })],
    ['actor must have exactly one of', changed('actor', { ...agent, openid: 'http://example.com/1' })],
    ['actor.objectType must be "Agent"', changed('actor.objectType', 'agent')],
    ['actor.name must be a string', changed('actor.name', null)],
    ['actor.mbox must be "mailto:"', changed('actor.mbox', 'ada@example.com')],
    ['actor.mbox must be "mailto:"', changed('actor.mbox', 'mailto:should.fail.com')],
    ['actor.mbox must be "mailto:"', changed('actor.mbox', '')],
    [
      'actor.mbox_sha1sum must be a SHA-1',
      changed('actor', { mbox_sha1sum: 'cd9b00a5611f94eaa7b1661edab976068e36497z' }),
    ],
    ['actor.openid must be an IRI', changed('actor', { openid: 'should.fail.com' })],
    ['actor.account.name is required', changed('actor', { account: { homePage: 'http://example.com' } })],
    ['actor.account.homePage is required', changed('actor', { account: { name: '3' } })],
    [
      'actor.account.homePage must be an IRI',
      changed('actor', { account: { homePage: 'ab=c://should.fail.com', name: '3' } }),
    ],
    ['actor.account.name must be a string', changed('actor', { account: { homePage: 'http://example.com', name: 3 } })],
    ['actor has the property "member"', changed('actor.member', [agent])],
    ['must list its members', changed('actor', { objectType: 'Group' })],
    ['must list its members', changed('actor', { objectType: 'Group', member: [] })],
    ['actor must not have more than one of', changed('actor', { ...group, ...agent, openid: 'http://example.com/1' })],
    ['actor.member must be an array', changed('actor', { ...group, member: agent })],
    ['actor.member[1].objectType must be "Agent"', changed('actor', { ...group, member: [agent, group] })],
    ['verb must be an object', changed('verb', 'completed')],
    ['verb.id is required', changed('verb.id')],
    ['verb.id must be an IRI', changed('verb.id', 'completed')],
    ['verb.display must be a language map', changed('verb.display', 'completed')],
    ['verb.display must have at least one language', changed('verb.display', {})],
    ['verb.display has a key', changed('verb.display', { a12345: 'x' })],
    ['verb.display in one language must be a string', changed('verb.display', { en: null })],
    ['object must be an object', changed('object', 'x')],
    ['object.objectType must be one of', changed('object.objectType', 'activity')],
    ['object.objectType must be one of', changed('object.objectType', null)],
    ['object.objectType must be one of', changed('object.objectType', 'constructor')],
    ['object.id is required', changed('object', agent)],
    ['object.id must be an IRI', changed('object.id', 'ab=c://should.fail.com')],
    ['object.definition must be an object', changed('object.definition', 'x')],
    ['object.definition.type must be an IRI', changed('object.definition.type', 'course')],
    ['object.definition.moreInfo must be an IRI', changed('object.definition.moreInfo', null)],
    ['object.definition.name must be a language map', changed('object.definition.name', 1)],
    ['object.definition.extensions must be an object', changed('object.definition.extensions', 'x')],
    ['object.definition.extensions has a key', changed('object.definition.extensions', { x: 1 })],
    ['object.definition.interactionType must be "true-false"', changed('object', question('Choice', {}))],
    ['and must then have "interactionType"', changed('object.definition', { correctResponsesPattern: ['x'] })],
    ['and must then have "interactionType"', changed('object.definition', { steps: choices })],
    ['object.definition.choices must be an array', changed('object', question('choice', { choices: 'a' }))],
    ['object.definition.choices[0].id is required', changed('object', question('choice', { choices: [{}] }))],
    [
      'object.definition.scale must give each entry an id',
      changed('object', question('likert', { scale: [...choices, { id: 'a' }] })),
    ],
    [
      'object.definition.source[0].description has a key',
      changed('object', question('matching', { source: [{ id: 'a', description: { a12345: '' } }] })),
    ],
    [
      'object.definition.correctResponsesPattern[0] must be a string',
      changed('object', question('numeric', { correctResponsesPattern: [1] })),
    ],
    ['object has the property "definition"', changed('object', { ...reference, definition: {} })],
    ['object.id must be a UUID', changed('object', { objectType: 'StatementRef', id: activity.id })],
    ['object has the property "id"', changed('object', { ...sub, id })],
    ['object has the property "stored"', changed('object', { ...sub, stored: '2026-11-21T00:02:57Z' })],
    ['object has the property "version"', changed('object', { ...sub, version: '1.0.0' })],
    ['object has the property "authority"', changed('object', { ...sub, authority: agent })],
    ['object.object.objectType must be one of', changed('object', { ...sub, object: sub })],
    ['object.actor must have exactly one of', changed('object', { ...sub, actor: {} })],
    [
      'object.context.platform is allowed only',
      changed('object', { ...sub, object: reference, context: { platform: 'x' } }),
    ],
    ['result must be an object', changed('result', 'good')],
    ['result.success must be true or false', changed('result.success', 'true')],
    ['result.completion must be true or false', changed('result.completion', 'false')],
    ['result.response must be a string', changed('result.response', 1)],
    ['result.duration must be a duration', changed('result.duration', 'PA1H0M0S')],
    ['result.duration must be a duration', changed('result.duration', 12345)],
    ['result.score must be an object', changed('result.score', 1)],
    ['result.score.max must be a number', changed('result.score.max', '100')],
    ['result.score.scaled must be a number from -1 to 1', changed('result.score.scaled', 1.01)],
    ['"min" that is less than its "max"', changed('result.score', { min: 10, max: 10 })],
    ['"raw" from its "min" to its "max"', changed('result.score', { raw: 11, max: 10 })],
    ['"raw" from its "min" to its "max"', changed('result.score', { raw: -1, min: 0 })],
    ['result.extensions has a key', changed('result.extensions', { '': 1 })],
    ['context must be an object', changed('context', [])],
    ['context.registration must be a UUID', changed('context.registration', null)],
    ['context.instructor must have exactly one of', changed('context.instructor', {})],
    ['context.team.objectType is required', changed('context.team', agent)],
    [
      'context.contextActivities has the property "sibling"',
      changed('context.contextActivities', { sibling: [activity] }),
    ],
    ['context.contextActivities.parent must be an object', changed('context.contextActivities', { parent: 'x' })],
    ['context.contextActivities.other[0].id is required', changed('context.contextActivities', { other: [{}] })],
    ['context.revision is allowed only', changed('context.revision', '1', changed('object', reference))],
    ['context.platform is allowed only', changed('context.platform', 'x', changed('object', group))],
    ['context.language must be a language tag', changed('context.language', 'en_US')],
    ['context.statement.objectType is required', changed('context.statement', { id })],
    ['timestamp must be a timestamp', changed('timestamp', '01/011/2015')],
    ['timestamp must be a timestamp', changed('timestamp', '2008-09-15T15:53:00.601-00:00')],
    ['stored must be a timestamp', changed('stored', 'now')],
    ['version must be 1.0', changed('version', '1.1.0')],
    ['version must be 1.0', changed('version', '0.9.9')],
    ['authority must be an Agent, or a Group of exactly two', changed('authority', { ...group, member: [agent] })],
    ['authority must be an Agent, or a Group of exactly two', changed('authority', { ...group, ...agent })],
    ['attachments must be an array', changed('attachments', attachment)],
    ['attachments[0] must be an object', changed('attachments', [1])],
    ['attachments[0].usageType must be an IRI', changed('attachments', [{ ...attachment, usageType: 'x' }])],
    [
      'attachments[0].contentType must be an Internet media type',
      changed('attachments', [{ ...attachment, contentType: 'should fail' }]),
    ],
    ['attachments[0].length must be a whole number', changed('attachments', [{ ...attachment, length: 1.5 }])],
    ['attachments[0].sha2 must be a SHA-2', changed('attachments', [{ ...attachment, sha2: 12345 }])],
    ['attachments[0].fileUrl must be an IRI', changed('attachments', [{ ...attachment, fileUrl: 'x' }])],
    ['attachments[0].display must have at least one', changed('attachments', [{ ...attachment, display: {} }])],
    [
      'attachments[0].description must be a language map',
      changed('attachments', [{ ...attachment, description: 'x' }]),
    ],
    ['object must be a StatementRef, because', changed('verb.id', 'http://adlnet.gov/expapi/verbs/voided')],
  ])('%s', (sentence, statement) => {
    expect(() => checkedStatement(statement, '1.0')).toThrow(sentence)
    expect(() => checkedStatement(statement, '2.0')).toThrow(sentence)
  })

  test('without telling the value, however it got there', () => {
    const secret = 'ada.lovelace@example.com'
    const places = ['id', 'actor', 'actor.mbox', 'verb.id', 'object.objectType', `object.${secret}`, 'result.duration']
    for (const place of places) {
      const refuse = () => checkedStatement(changed(place, secret), '1.0')
      expect(refuse).toThrow()
      expect(refuse).not.toThrow(/lovelace/)
    }
    expect(() => checkedStatement(changed('verb.display', { [secret]: 'x' }), '1.0')).not.toThrow(/lovelace/)
  })

  test('with the place inside its request', () => {
    expect(() => checkedStatement('x', '1.0', 'statements[2]')).toThrow('statements[2] must be an object')
    expect(() => checkedStatement(changed('actor', {}), '1.0', 'statements[2]')).toThrow(
      'statements[2].actor must have',
    )
  })
})
