// Valid statements, and the differences between the editions. Rules: xAPI 1.0.3, Data 2.2 to 2.4.

import { describe, expect, test } from 'vitest'
import type { Edition } from '#src/lms/xapi/edition.ts'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { checkedStatement } from '#src/lms/xapi/statement.ts'
import { capturedStatements } from './captured-requests.ts'
import {
  activity,
  agent,
  attachment,
  choices,
  group,
  id,
  openEdx,
  question,
  sample,
  statementRef,
  subStatement,
  withChange,
} from './sample-statement.ts'

describe('a statement is accepted', () => {
  test.each<[string, JsonObject]>([
    ['with only actor, verb and object', sample()],
    ['as Open edX sends it', openEdx],
    ['with an id', withChange('id', id)],
    ['with an upper-case id', withChange('id', id.toUpperCase())],
    ['with a hashed mailbox', withChange('actor', { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' })],
    [
      'with an openid',
      withChange('actor', { objectType: 'Agent', name: 'Ada', openid: 'https://openid.example.org/1' }),
    ],
    ['with a group without identifier', withChange('actor', group)],
    ['with a group and an identifier, without members', withChange('actor', { objectType: 'Group', ...agent })],
    ['with a non-ASCII IRI', withChange('verb.id', 'http://example.com/فعل/خواندن')],
    ['with the best score', withChange('result.score', { scaled: 1, raw: 100, min: 0, max: 100 })],
    ['with the worst score', withChange('result.score', { scaled: -1, raw: 0, min: 0, max: 100 })],
    ['with an empty attachment', withChange('attachments', [{ ...attachment, length: 0, contentType: 'text/plain' }])],
    ['with a space in a media type', withChange('attachments', [{ ...attachment, contentType: 'text/plain ; a=b' }])],
    ['about an agent', withChange('object', { objectType: 'Agent', ...agent })],
    ['about a group', withChange('object', group)],
    ['about a statement', withChange('object', statementRef)],
    ['about a SubStatement', withChange('object', subStatement)],
    [
      'about a SubStatement in the future',
      withChange('object', { ...subStatement, timestamp: '2999-01-01T00:00:00Z' }),
    ],
    [
      'with a definition',
      withChange('object.definition', {
        name: { en: 'Fire' },
        type: 'http://example.com/t',
        moreInfo: 'http://example.com/',
      }),
    ],
    ['with a question', withChange('object', question('choice', { choices, correctResponsesPattern: ['a[,]b'] }))],
    ['with a question that has only a type', withChange('object', question('true-false', {}))],
    ['with a matching question', withChange('object', question('matching', { source: choices, target: choices }))],
    [
      'with arbitrary values in extensions',
      withChange('context.extensions', { 'http://example.com/x': null, 'http://example.com/y': { a: [null] } }),
    ],
    ['with empty extensions', withChange('result.extensions', {})],
    ['with a score', withChange('result.score', { scaled: -1, raw: 0, min: 0, max: 10 })],
    ['with a result', withChange('result', { success: true, completion: false, response: '', duration: 'PT1H0M0.1S' })],
    [
      'with a context',
      withChange('context', {
        registration: id,
        instructor: group,
        team: group,
        revision: '1',
        platform: 'x',
        language: 'fr-CA',
        statement: statementRef,
      }),
    ],
    ['with one context activity', withChange('context.contextActivities', { parent: activity })],
    [
      'with several context activities',
      withChange('context.contextActivities', { grouping: [activity], category: [], other: [activity] }),
    ],
    ['with attachments', withChange('attachments', [attachment])],
    ['with the agent of an authority', withChange('authority', agent)],
    ['with the two members of an OAuth authority', withChange('authority', group)],
    ['with a stored time', withChange('stored', '2026-11-21T00:02:57.000Z')],
    ['with version 1.0', withChange('version', '1.0')],
    ['with version 1.0.9', withChange('version', '1.0.9')],
    [
      'that voids another',
      withChange('verb.id', 'http://adlnet.gov/expapi/verbs/voided', withChange('object', statementRef)),
    ],
  ])('%s', (_, statement) => {
    expect(checkedStatement(structuredClone(statement), '1.0')).toEqual(statement)
    expect(checkedStatement(structuredClone(statement), '2.0')).toEqual(statement)
  })

  test.each(['10-moodle-ok', '11-moodle-failed', '15-moodle-recertified', '16-moodle-failed-then-replayed'])(
    'as a Moodle site sent it: %s',
    (name) => {
      const statements = capturedStatements(name)
      expect(statements.length).toBeGreaterThan(1)
      for (const statement of statements) expect(checkedStatement(statement, '1.0')).toBe(statement)
    },
  )
})

describe('the editions differ in', () => {
  const contextAgent = { objectType: 'contextAgent', agent, relevantTypes: ['http://example.com/types/coach'] }
  const contextGroup = { objectType: 'contextGroup', group }

  test.each<[string, JsonObject, Record<Edition, string | null>]>([
    ['contextAgents', withChange('context.contextAgents', [contextAgent]), { '1.0': 'not allowed there', '2.0': null }],
    ['contextGroups', withChange('context.contextGroups', [contextGroup]), { '1.0': 'not allowed there', '2.0': null }],
    [
      'the objectType of a contextAgent',
      withChange('context.contextAgents', [{ ...contextAgent, objectType: 'Agent' }]),
      { '1.0': 'not allowed there', '2.0': 'context.contextAgents[0].objectType must be "contextAgent"' },
    ],
    [
      'a contextGroup without group',
      withChange('context.contextGroups', [{ ...contextGroup, group: agent }]),
      { '1.0': 'not allowed there', '2.0': 'context.contextGroups[0].group.objectType is required' },
    ],
    [
      'relevantTypes that are empty',
      withChange('context.contextAgents', [{ ...contextAgent, relevantTypes: [] }]),
      { '1.0': 'not allowed there', '2.0': 'relevantTypes must have at least 1 entry' },
    ],
    [
      'relevantTypes that are not IRIs',
      withChange('context.contextGroups', [{ ...contextGroup, relevantTypes: ['abc'] }]),
      { '1.0': 'not allowed there', '2.0': 'relevantTypes[0] must be an IRI' },
    ],
    ['version 2.0.0', withChange('version', '2.0.0'), { '1.0': 'version must be 1.0', '2.0': null }],
    ['a time without zone', withChange('timestamp', '2026-11-21T00:02:57'), { '1.0': null, '2.0': 'RFC 3339' }],
    ['a time in basic format', withChange('timestamp', '20261121T000257Z'), { '1.0': null, '2.0': 'RFC 3339' }],
  ])('%s', (_, statement, expected) => {
    for (const edition of ['1.0', '2.0'] as const) {
      const check = () => checkedStatement(statement, edition)
      const sentence = expected[edition]
      if (sentence === null) expect(check()).toBe(statement)
      else expect(check).toThrow(sentence)
    }
  })
})
