// What of a statement is shown in each format.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/xapi/json.ts'
import { inFormat } from '#src/xapi/statement-format.ts'
import { activity, agent, changed, group, openEdx, question, reference, sample } from './sample-statement.ts'

const words = { en: 'Fire', de: 'Feuer' }
const whole: JsonObject = {
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
const asSub = { ...sample(), object: { ...whole, objectType: 'SubStatement' } }

describe('the format', () => {
  test('exact changes nothing', () => {
    expect(inFormat(whole, 'exact', 'de')).toBe(whole)
  })

  test('ids leaves what identifies', () => {
    const expected = {
      ...whole,
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
    expect(inFormat(whole, 'ids', '')).toEqual(expected)
    expect(inFormat(asSub, 'ids', '')).toMatchObject({ object: { ...expected, objectType: 'SubStatement' } })
  })

  test('canonical leaves one language of each', () => {
    const one = { de: 'Feuer' }
    const shown = inFormat(whole, 'canonical', 'de-CH')
    expect(shown).toMatchObject({ actor: whole.actor as JsonObject, authority: whole.authority as JsonObject })
    expect(shown.verb).toEqual({ id: 'http://example.com/v', display: one })
    expect(shown.object).toHaveProperty('definition.name', one)
    expect(shown.object).toHaveProperty('definition.choices', [{ id: 'a', description: one }, { id: 'b' }])
    expect(shown.context).toHaveProperty('contextActivities.parent', [
      { ...activity, definition: { description: one } },
    ])
    expect(inFormat(asSub, 'canonical', 'de').object).toHaveProperty('verb.display', one)
  })

  test.each(['ids', 'canonical'] as const)('%s leaves a reference to a statement as it is', (format) => {
    expect(inFormat(changed('object', reference), format, '').object).toEqual(reference)
  })

  test('ids knows a person as an object', () => {
    const about = { objectType: 'Agent', ...agent }
    expect(inFormat(changed('object', { ...about, name: 'Ada' }), 'ids', '').object).toEqual(about)
    expect(inFormat(openEdx, 'ids', '').actor).toEqual(openEdx.actor)
  })
})
