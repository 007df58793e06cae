// Parts of a statement that few systems send.

import { describe, expect, test } from 'vitest'
import { attachmentsOf } from '#src/lms/xapi/attachment.ts'
import type { Json, JsonObject } from '#src/lms/xapi/json.ts'
import { parseJson } from '#src/lms/xapi/json.ts'
import { checkedStatement } from '#src/lms/xapi/statement.ts'
import { agent, attachment, choices, group, question, subStatement, withChange } from './sample-statement.ts'

const refusal = (statement: JsonObject, edition: '1.0' | '2.0' = '2.0') => {
  try {
    checkedStatement(statement, edition)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
const inContext = (key: string, value: Json) => refusal(withChange(`context.${key}`, value))

describe('the agents and groups of a context', () => {
  const type = 'http://example.com/type'
  test.each<[string, Json]>([
    ['contextAgents', [{ objectType: 'contextAgent', agent }]],
    ['contextAgents', [{ objectType: 'contextAgent', agent, relevantTypes: [type] }]],
    ['contextGroups', [{ objectType: 'contextGroup', group, relevantTypes: [type] }]],
  ])('%s are accepted: %j', (key, value) => {
    expect(inContext(key, value)).toBeNull()
  })

  test.each<[string, Json, RegExp]>([
    ['contextAgents', [{ agent }], /contextAgents\[0\]\.objectType is required/],
    ['contextAgents', [{ objectType: 'contextGroup', agent }], /objectType must be "contextAgent"/],
    ['contextAgents', [{ objectType: 'contextAgent' }], /agent is required/],
    ['contextAgents', [{ objectType: 'contextAgent', agent, relevantTypes: [] }], /relevantTypes must have at least 1/],
    [
      'contextAgents',
      [{ objectType: 'contextAgent', agent, relevantTypes: ['x'] }],
      /relevantTypes\[0\] must be an IRI/,
    ],
    ['contextAgents', [{ objectType: 'contextAgent', agent, other: 1 }], /has the property "other"/],
    ['contextGroups', [{ objectType: 'contextAgent', group }], /objectType must be "contextGroup"/],
    ['contextGroups', [{ objectType: 'contextGroup', group: agent }], /contextGroups\[0\]\.group/],
  ])('%s are refused: %j', (key, value, message) => {
    expect(inContext(key, value)).toMatch(message)
  })
})

test.each([
  'true-false',
  'choice',
  'fill-in',
  'long-fill-in',
  'matching',
  'performance',
  'sequencing',
  'likert',
  'numeric',
  'other',
])('a question may be of the type %s', (type) => {
  expect(refusal(withChange('object', question(type, { correctResponsesPattern: ['a'] })))).toBeNull()
})

test('the entries of a list have different ids', () => {
  const [first] = choices as JsonObject[]
  expect(refusal(withChange('object', question('choice', { choices: [first, first] as Json })))).toMatch(/unique id/)
})

describe('the attachments of a statement', () => {
  const own = withChange('attachments', [attachment])

  test('include those of its SubStatement, and of nothing else', () => {
    expect(attachmentsOf(own)).toHaveLength(1)
    const nested = { ...own, object: { ...(subStatement as JsonObject), attachments: [attachment] } } as JsonObject
    expect(attachmentsOf(nested)).toHaveLength(2)
    expect(
      attachmentsOf({ ...own, object: { objectType: 'Activity', attachments: [attachment] } } as JsonObject),
    ).toHaveLength(1)
  })
})

test('200 levels of nesting are read, and no more', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
  expect(JSON.stringify(parseJson(nested(201)))).toBe(nested(201).toString())
  expect(parseJson(nested(202))).toBeUndefined()
})
