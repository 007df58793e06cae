// Whatever comes in place of any part of a statement: it is refused with a sentence, or it can be worked with.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StatementFault } from '#src/xapi/check.ts'
import { completionOf, completionVerbs, courseTypes } from '#src/xapi/completion.ts'
import type { Json, JsonObject } from '#src/xapi/json.ts'
import { digestOf } from '#src/xapi/same.ts'
import { shownStatement } from '#src/xapi/shown.ts'
import { checkedStatement } from '#src/xapi/statement.ts'
import { attachment, changed, group, id, openEdx, question, reference, sub } from './sample-statement.ts'

const rule = { verbs: Object.values(completionVerbs), activityTypes: courseTypes, coursePointer: null }
const full: JsonObject = {
  ...openEdx,
  object: { ...sub, object: question('choice', { choices: [{ id: 'a' }] }) },
  result: { score: { raw: 1, min: 0, max: 2 }, duration: 'PT1S', success: true, extensions: { 'http://x.example': 1 } },
  context: {
    instructor: group,
    team: group,
    statement: reference,
    contextActivities: { parent: { id: 'http://x.example' } },
  },
  attachments: [attachment],
}
const received = { id, stored: '2026-03-01T12:00:00.000Z', authority: {}, version: '1.0.0' }

/** The place of every value inside the statement. */
function placesIn(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  const inside = Object.entries(value).flatMap(([key, each]) => placesIn(each, path === '' ? key : `${path}.${key}`))
  return path === '' ? inside : [path, ...inside]
}

function workWith(statement: Json): void {
  for (const edition of ['1.0', '2.0'] as const) {
    let checked: JsonObject
    try {
      checked = checkedStatement(statement, edition)
    } catch (error) {
      expect(error).toBeInstanceOf(StatementFault)
      continue
    }
    expect(digestOf(checked)).toMatch(/^[0-9a-f]{64}$/)
    expect(
      checkedStatement(shownStatement(checked, { ...received, authority: { mbox: 'mailto:a@b' } }), edition),
    ).toBeDefined()
    completionOf(checked, rule)
  }
}

test('any JSON is refused or worked with', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => workWith(value as Json)))
})

test('a statement with anything in any place is refused or worked with', () => {
  const places = placesIn(full).filter((place) => !place.includes('http'))
  expect(places.length).toBeGreaterThan(40)
  workWith(full)
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), (place, value) =>
      workWith(changed(place, value as Json, full)),
    ),
    { numRuns: 2000 },
  )
})
