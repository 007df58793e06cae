// Which differences make another statement.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/xapi/json.ts'
import { digestOf } from '#src/xapi/same.ts'
import { activity, changed, id, openEdx, otherId, sample } from './sample-statement.ts'

const ada = { mbox: 'mailto:ada@example.com' }
const bob = { mbox: 'mailto:bob@example.com' }
const group = (...member: JsonObject[]) => changed('actor', { objectType: 'Group', member }, openEdx)
const team = (...member: JsonObject[]) => ({ objectType: 'Group', member })
const reference = (to: string) => ({ objectType: 'StatementRef', id: to })
const withContext = (context: JsonObject) => changed('context', context, openEdx)
const withSub = (more: JsonObject) => changed('object', { ...sample(), objectType: 'SubStatement', ...more }, openEdx)

describe('the same statement', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['with a team in another order', withContext({ team: team(ada, bob) }), withContext({ team: team(bob, ada) })],
    [
      'with a reference in capitals',
      withContext({ statement: reference(id.toUpperCase()) }),
      withContext({ statement: reference(id) }),
    ],
    ['with its keys in another order', Object.fromEntries(Object.entries(openEdx).reverse()), openEdx],
    [
      'with stored, authority and version',
      { ...openEdx, stored: '2026-11-21T00:00:00Z', authority: ada, version: '1.0.0' },
      openEdx,
    ],
    ['with its id in capitals', changed('id', String(openEdx.id).toUpperCase(), openEdx), openEdx],
    ['with its time in another zone', changed('timestamp', '2026-11-20T11:00:00.123+01:00', openEdx), openEdx],
    ['with other words for the verb', changed('verb.display', { de: 'bestanden' }, openEdx), openEdx],
    ['with another definition', changed('object.definition', { name: { en: 'Demo' } }, openEdx), openEdx],
    ['with group members in another order', group(ada, bob), group(bob, ada)],
    [
      'with a mail domain in capitals',
      changed('actor', { mbox: 'mailto:ada@EXAMPLE.com' }, openEdx),
      changed('actor', ada, openEdx),
    ],
    [
      'with one context activity alone',
      withContext({ contextActivities: { parent: activity } }),
      withContext({ contextActivities: { parent: [{ ...activity, definition: {} }] } }),
    ],
    [
      'with a registration in capitals',
      withContext({ registration: id.toUpperCase() }),
      withContext({ registration: id }),
    ],
    [
      'with other definitions in a SubStatement',
      withSub({ object: { ...activity, definition: {} } }),
      withSub({ object: activity }),
    ],
  ])('%s', (_, one, other) => {
    expect(digestOf(one)).toBe(digestOf(other))
  })

  test.each<[string, JsonObject, JsonObject]>([
    [
      'another context activity',
      withContext({ contextActivities: { parent: [activity] } }),
      withContext({ contextActivities: { parent: [{ id: 'http://example.com/x' }] } }),
    ],
    ['another team', withContext({ team: team(ada) }), withContext({ team: team(bob) })],
    [
      'another group for a contextGroup',
      withContext({ contextGroups: [{ objectType: 'contextGroup', group: team(ada) }] }),
      withContext({ contextGroups: [{ objectType: 'contextGroup', group: team(bob) }] }),
    ],
    ['another verb', changed('verb.id', 'http://adlnet.gov/expapi/verbs/failed', openEdx), openEdx],
    ['another actor', changed('actor', bob, openEdx), openEdx],
    ['another name of the actor', changed('actor.name', 'Ada', openEdx), openEdx],
    [
      'another case before the @',
      changed('actor', { mbox: 'mailto:Ada@example.com' }, openEdx),
      changed('actor', ada, openEdx),
    ],
    ['another object', changed('object.id', activity.id, openEdx), openEdx],
    [
      'an object of another kind',
      changed('object', { objectType: 'StatementRef', id }, openEdx),
      changed('object', { id }, openEdx),
    ],
    ['another time', changed('timestamp', '2026-11-20T10:00:01Z', openEdx), openEdx],
    ['another result', changed('result', { success: false }, openEdx), openEdx],
    [
      'a duration that is written otherwise',
      changed('result', { duration: 'PT60S' }, openEdx),
      changed('result', { duration: 'PT1M' }, openEdx),
    ],
    ['another registration', withContext({ registration: id }), withContext({ registration: otherId })],
    [
      'other context activities',
      withContext({ contextActivities: { parent: [activity] } }),
      withContext({ contextActivities: { other: [activity] } }),
    ],
    ['another actor in a SubStatement', withSub({ actor: bob }), withSub({ actor: ada })],
    ['another instructor', withContext({ instructor: ada }), withContext({ instructor: bob })],
    [
      'another reference',
      withContext({ statement: { objectType: 'StatementRef', id } }),
      withContext({ statement: { objectType: 'StatementRef', id: otherId } }),
    ],
    [
      'another contextAgent',
      withContext({ contextAgents: [{ objectType: 'contextAgent', agent: ada }] }),
      withContext({ contextAgents: [{ objectType: 'contextAgent', agent: bob }] }),
    ],
  ])('is another one with %s', (_, one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other))
  })
})
