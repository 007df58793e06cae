// Statements that are good, and where the editions differ. Rules: xAPI 1.0.3, Data 2.2 to 2.4.

import { describe, expect, test } from 'vitest'
import type { Edition } from '#src/xapi/edition.ts'
import type { JsonObject } from '#src/xapi/json.ts'
import { checkedStatement } from '#src/xapi/statement.ts'
import { capturedStatements } from './captured.ts'
import {
  activity,
  agent,
  attachment,
  changed,
  choices,
  group,
  id,
  openEdx,
  question,
  reference,
  sample,
  sub,
} from './sample-statement.ts'

describe('a statement is good', () => {
  test.each<[string, JsonObject]>([
    ['with actor, verb and object alone', sample()],
    ['as Open edX sends it', openEdx],
    ['with an id', changed('id', id)],
    ['with an id in capitals', changed('id', id.toUpperCase())],
    ['with a hashed mailbox', changed('actor', { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' })],
    ['with an openid', changed('actor', { objectType: 'Agent', name: 'Ada', openid: 'https://openid.example.org/1' })],
    ['with a group without identifier', changed('actor', group)],
    ['with a group and an identifier, without members', changed('actor', { objectType: 'Group', ...agent })],
    ['with an IRI beyond ASCII', changed('verb.id', 'http://example.com/فعل/خواندن')],
    ['about an agent', changed('object', { objectType: 'Agent', ...agent })],
    ['about a group', changed('object', group)],
    ['about a statement', changed('object', reference)],
    ['about a SubStatement', changed('object', sub)],
    ['about a SubStatement in the future', changed('object', { ...sub, timestamp: '2999-01-01T00:00:00Z' })],
    [
      'with a definition',
      changed('object.definition', {
        name: { en: 'Fire' },
        type: 'http://example.com/t',
        moreInfo: 'http://example.com/',
      }),
    ],
    ['with a question', changed('object', question('choice', { choices, correctResponsesPattern: ['a[,]b'] }))],
    ['with a question of a type alone', changed('object', question('true-false', {}))],
    ['with a matching question', changed('object', question('matching', { source: choices, target: choices }))],
    [
      'with anything inside extensions',
      changed('context.extensions', { 'http://example.com/x': null, 'http://example.com/y': { a: [null] } }),
    ],
    ['with empty extensions', changed('result.extensions', {})],
    ['with a score', changed('result.score', { scaled: -1, raw: 0, min: 0, max: 10 })],
    ['with a result', changed('result', { success: true, completion: false, response: '', duration: 'PT1H0M0.1S' })],
    [
      'with a context',
      changed('context', {
        registration: id,
        instructor: group,
        team: group,
        revision: '1',
        platform: 'x',
        language: 'fr-CA',
        statement: reference,
      }),
    ],
    ['with one context activity', changed('context.contextActivities', { parent: activity })],
    [
      'with several context activities',
      changed('context.contextActivities', { grouping: [activity], category: [], other: [activity] }),
    ],
    ['with attachments', changed('attachments', [attachment])],
    ['with the agent of an authority', changed('authority', agent)],
    ['with the two members of an OAuth authority', changed('authority', group)],
    ['with a stored time', changed('stored', '2026-11-21T00:02:57.000Z')],
    ['with version 1.0', changed('version', '1.0')],
    ['with version 1.0.9', changed('version', '1.0.9')],
    ['that voids', changed('verb.id', 'http://adlnet.gov/expapi/verbs/voided', changed('object', reference))],
  ])('%s', (_, statement) => {
    expect(checkedStatement(structuredClone(statement), '1.0')).toEqual(statement)
    expect(checkedStatement(structuredClone(statement), '2.0')).toEqual(statement)
  })

  test.each(['10-moodle-ok', '11-moodle-failed', '15-moodle-recertified', '16-moodle-failed-then-replayed'])(
    'as a Moodle sent it: %s',
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
    ['contextAgents', changed('context.contextAgents', [contextAgent]), { '1.0': 'not allowed there', '2.0': null }],
    ['contextGroups', changed('context.contextGroups', [contextGroup]), { '1.0': 'not allowed there', '2.0': null }],
    [
      'the objectType of a contextAgent',
      changed('context.contextAgents', [{ ...contextAgent, objectType: 'Agent' }]),
      { '1.0': 'not allowed there', '2.0': 'context.contextAgents[0].objectType must be "contextAgent"' },
    ],
    [
      'a contextGroup without group',
      changed('context.contextGroups', [{ ...contextGroup, group: agent }]),
      { '1.0': 'not allowed there', '2.0': 'context.contextGroups[0].group.objectType is required' },
    ],
    [
      'relevantTypes that are empty',
      changed('context.contextAgents', [{ ...contextAgent, relevantTypes: [] }]),
      { '1.0': 'not allowed there', '2.0': 'relevantTypes must have at least 1 entry' },
    ],
    [
      'relevantTypes that are no IRIs',
      changed('context.contextGroups', [{ ...contextGroup, relevantTypes: ['abc'] }]),
      { '1.0': 'not allowed there', '2.0': 'relevantTypes[0] must be an IRI' },
    ],
    ['version 2.0.0', changed('version', '2.0.0'), { '1.0': 'version must be 1.0', '2.0': null }],
    ['a time without zone', changed('timestamp', '2026-11-21T00:02:57'), { '1.0': null, '2.0': 'RFC 3339' }],
    ['a time in basic format', changed('timestamp', '20261121T000257Z'), { '1.0': null, '2.0': 'RFC 3339' }],
  ])('%s', (_, statement, expected) => {
    for (const edition of ['1.0', '2.0'] as const) {
      const check = () => checkedStatement(statement, edition)
      const sentence = expected[edition]
      if (sentence === null) expect(check()).toBe(statement)
      else expect(check).toThrow(sentence)
    }
  })
})
