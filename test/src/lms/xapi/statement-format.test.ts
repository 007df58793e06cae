// The parts of a statement that each format returns.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { inFormat } from '#src/lms/xapi/statement-format.ts'
import { activity, agent, group, openEdx, question, sample, statementRef, withChange } from './sample-statement.ts'

const words = { en: 'Fire', de: 'Feuer' }
const statement: JsonObject = {
  ...sample(),
  actor: { objectType: 'Group', name: 'Team', member: [{ ...agent, name: 'Ada' }] },
  verb: { id: 'http://example.com/v', display: words },
  object: {
    ...activity,
    definition: {
      ...question('choice', { choices: [{ id: 'a', description: words }, { id: 'b' }] }).definition,
      name: words,
    },
  },
  context: {
    instructor: { ...group, ...agent, name: 'Teachers' },
    contextActivities: { parent: [{ ...activity, definition: { description: words } }] },
    contextAgents: [{ objectType: 'contextAgent', agent: { ...agent, name: 'Ada' } }],
    contextGroups: [{ objectType: 'contextGroup', group: { ...group, name: 'Team' } }],
    language: 'de',
  },
  authority: { ...agent, name: 'Moodle' },
  result: { response: 'yes' },
}
const asSub = { ...sample(), object: { ...statement, objectType: 'SubStatement' } }

describe('the format', () => {
  test('`exact` changes nothing', () => {
    expect(inFormat(statement, 'exact', 'de')).toBe(statement)
  })

  test('`ids` keeps only identifiers', () => {
    const expected = {
      ...statement,
      actor: { objectType: 'Group', member: [agent] },
      verb: { id: 'http://example.com/v' },
      object: activity,
      context: {
        instructor: { objectType: 'Group', ...agent },
        contextActivities: { parent: [activity] },
        contextAgents: [{ objectType: 'contextAgent', agent }],
        contextGroups: [{ objectType: 'contextGroup', group }],
        language: 'de',
      },
      authority: agent,
    }
    expect(inFormat(statement, 'ids', '')).toEqual(expected)
    expect(inFormat(asSub, 'ids', '')).toMatchObject({ object: { ...expected, objectType: 'SubStatement' } })
  })

  test('`canonical` keeps one language of each text', () => {
    const one = { de: 'Feuer' }
    const shown = inFormat(statement, 'canonical', 'de-CH')
    expect(shown).toMatchObject({ actor: statement.actor as JsonObject, authority: statement.authority as JsonObject })
    expect(shown.verb).toEqual({ id: 'http://example.com/v', display: one })
    expect(shown.object).toHaveProperty('definition.name', one)
    expect(shown.object).toHaveProperty('definition.choices', [{ id: 'a', description: one }, { id: 'b' }])
    expect(shown.context).toHaveProperty('contextActivities.parent', [
      { ...activity, definition: { description: one } },
    ])
    expect(inFormat(asSub, 'canonical', 'de').object).toHaveProperty('verb.display', one)
  })

  test.each(['ids', 'canonical'] as const)('%s does not change a reference to a statement', (format) => {
    expect(inFormat(withChange('object', statementRef), format, '').object).toEqual(statementRef)
  })

  test('`ids` handles an Agent or a Group as the object', () => {
    const about = { objectType: 'Agent', ...agent }
    expect(inFormat(withChange('object', { ...about, name: 'Ada' }), 'ids', '').object).toEqual(about)
    expect(inFormat(withChange('object', { ...group, name: 'Team' }), 'ids', '').object).toEqual(group)
    expect(inFormat(openEdx, 'ids', '').actor).toEqual(openEdx.actor)
  })
})
