// A property test: replaces any part of a statement with arbitrary JSON, which must be processed or refused with a
// message.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeStatement } from '#src/lms/xapi/complete-statement.ts'
import { completionOf, completionVerbIds, courseTypes } from '#src/lms/xapi/completion.ts'
import type { Json, JsonObject } from '#src/lms/xapi/json.ts'
import { checkedStatement } from '#src/lms/xapi/statement.ts'
import { statementDigest } from '#src/lms/xapi/statement-digest.ts'
import { StatementFault } from '#src/lms/xapi/value-checks.ts'
import { attachment, group, id, openEdx, question, statementRef, subStatement, withChange } from './sample-statement.ts'

const rule = { verbs: Object.values(completionVerbIds), activityTypes: courseTypes, coursePointer: null }
const fullStatement: JsonObject = {
  ...openEdx,
  object: { ...subStatement, object: question('choice', { choices: [{ id: 'a' }] }) },
  result: { score: { raw: 1, min: 0, max: 2 }, duration: 'PT1S', success: true, extensions: { 'http://x.example': 1 } },
  context: {
    instructor: group,
    team: group,
    statement: statementRef,
    contextActivities: { parent: { id: 'http://x.example' } },
  },
  attachments: [attachment],
}
const received = { id, stored: '2026-03-01T12:00:00.000Z', authority: {}, version: '1.0.0' }

/** The path of every value in the statement. */
function pathsIn(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  const inside = Object.entries(value).flatMap(([key, each]) => pathsIn(each, path === '' ? key : `${path}.${key}`))
  return path === '' ? inside : [path, ...inside]
}

function processOrRefuse(statement: Json): void {
  for (const edition of ['1.0', '2.0'] as const) {
    let checked: JsonObject
    try {
      checked = checkedStatement(statement, edition)
    } catch (error) {
      expect(error).toBeInstanceOf(StatementFault)
      continue
    }
    expect(statementDigest(checked)).toMatch(/^[0-9a-f]{64}$/)
    expect(
      checkedStatement(completeStatement(checked, { ...received, authority: { mbox: 'mailto:a@b' } }), edition),
    ).toBeDefined()
    completionOf(checked, rule)
  }
}

test('any JSON is refused or processed', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => processOrRefuse(value as Json)))
})

test('a statement with any value replaced is refused or processed', () => {
  const places = pathsIn(fullStatement).filter((place) => !place.includes('http'))
  expect(places.length).toBeGreaterThan(40)
  processOrRefuse(fullStatement)
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), (place, value) =>
      processOrRefuse(withChange(place, value as Json, fullStatement)),
    ),
    { numRuns: 2000 },
  )
})
