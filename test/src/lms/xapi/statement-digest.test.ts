// Which differences between two statements change the digest.

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#src/lms/xapi/json.ts'
import { statementDigest } from '#src/lms/xapi/statement-digest.ts'
import { activity, id, openEdx, otherId, sample, withChange } from './sample-statement.ts'

const ada = { mbox: 'mailto:ada@example.com' }
const bob = { mbox: 'mailto:bob@example.com' }
const withGroup = (...member: JsonObject[]) => withChange('actor', { objectType: 'Group', member }, openEdx)
const team = (...member: JsonObject[]) => ({ objectType: 'Group', member })
const withDuration = (duration: string) => withChange('result', { duration }, openEdx)
const reference = (to: string) => ({ objectType: 'StatementRef', id: to })
const withContext = (context: JsonObject) => withChange('context', context, openEdx)
const withSub = (more: JsonObject) =>
  withChange('object', { ...sample(), objectType: 'SubStatement', ...more }, openEdx)

describe('the digest of a statement', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['with a team in another order', withContext({ team: team(ada, bob) }), withContext({ team: team(bob, ada) })],
    [
      'with an upper-case reference',
      withContext({ statement: reference(id.toUpperCase()) }),
      withContext({ statement: reference(id) }),
    ],
    ['with its keys in another order', Object.fromEntries(Object.entries(openEdx).reverse()), openEdx],
    [
      'with stored, authority and version',
      { ...openEdx, stored: '2026-11-21T00:00:00Z', authority: ada, version: '1.0.0' },
      openEdx,
    ],
    ['with an upper-case id', withChange('id', String(openEdx.id).toUpperCase(), openEdx), openEdx],
    ['with its time in another zone', withChange('timestamp', '2026-11-20T11:00:00.123+01:00', openEdx), openEdx],
    ['with another display text of the verb', withChange('verb.display', { de: 'bestanden' }, openEdx), openEdx],
    ['with another definition', withChange('object.definition', { name: { en: 'Demo' } }, openEdx), openEdx],
    ['with group members in another order', withGroup(ada, bob), withGroup(bob, ada)],
    [
      'with an upper-case mail domain',
      withChange('actor', { mbox: 'mailto:ada@EXAMPLE.com' }, openEdx),
      withChange('actor', ada, openEdx),
    ],
    [
      'with a single context activity',
      withContext({ contextActivities: { parent: activity } }),
      withContext({ contextActivities: { parent: [{ ...activity, definition: {} }] } }),
    ],
    [
      'with an upper-case registration',
      withContext({ registration: id.toUpperCase() }),
      withContext({ registration: id }),
    ],
    [
      'with a duration that is less than a hundredth of a second longer',
      withDuration('P1DT12H36M0.1237S'),
      withDuration('P1DT12H36M0.12S'),
    ],
    ['with a duration that has trailing zeros', withDuration('PT1.500S'), withDuration('PT1.5S')],
    ['with a duration that differs only in thousandths', withDuration('PT4,009S'), withDuration('PT4S')],
    [
      'with a duration in a SubStatement that differs only in thousandths',
      withSub({ result: { duration: 'PT0.129S' } }),
      withSub({ result: { duration: 'PT0.12S' } }),
    ],
    [
      'with other definitions in a SubStatement',
      withSub({ object: { ...activity, definition: {} } }),
      withSub({ object: activity }),
    ],
  ])('is the same %s', (_, one, other) => {
    expect(statementDigest(one)).toBe(statementDigest(other))
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
    ['another verb', withChange('verb.id', 'http://adlnet.gov/expapi/verbs/failed', openEdx), openEdx],
    ['another actor', withChange('actor', bob, openEdx), openEdx],
    ['another name of the actor', withChange('actor.name', 'Ada', openEdx), openEdx],
    [
      'different case before the @',
      withChange('actor', { mbox: 'mailto:Ada@example.com' }, openEdx),
      withChange('actor', ada, openEdx),
    ],
    ['another object', withChange('object.id', activity.id, openEdx), openEdx],
    [
      'an object of another kind',
      withChange('object', { objectType: 'StatementRef', id }, openEdx),
      withChange('object', { id }, openEdx),
    ],
    ['another time', withChange('timestamp', '2026-11-20T10:00:01Z', openEdx), openEdx],
    ['another result', withChange('result', { success: false }, openEdx), openEdx],
    ['a different notation of a duration', withDuration('PT60S'), withDuration('PT1M')],
    ['a hundredth of a second more', withDuration('PT0.13S'), withDuration('PT0.129S')],
    ['a fraction of another unit', withDuration('PT0.129M'), withDuration('PT0.12M')],
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
  ])('differs with %s', (_, one, other) => {
    expect(statementDigest(one)).not.toBe(statementDigest(other))
  })
})

// A digest is stored with its statement: if it changed, a sender that repeats a statement would be refused.
test('the digests of statements are the same in every version', () => {
  const rich: JsonObject = {
    ...sample(),
    actor: { objectType: 'Group', member: [bob, { mbox: 'mailto:Ada@Example.com' }] },
    context: {
      registration: id.toUpperCase(),
      language: 'de-CH',
      statement: reference(id.toUpperCase()),
      contextActivities: { other: [activity], parent: [activity, { id: 'https://example.com/courses/food' }] },
    },
    result: { success: true, duration: 'PT1.5S' },
    timestamp: '2026-11-20T11:00:00.123+01:00',
  }
  const objects: JsonObject[] = [
    ...[activity, { objectType: 'Agent', mbox_sha1sum: 'A'.repeat(40) }, { ...team(bob, ada), name: 'Team' }],
    ...[reference(id.toUpperCase()), { ...sample(), objectType: 'SubStatement' }],
  ]
  expect(objects.map((object) => statementDigest({ ...rich, object }))).toEqual([
    'a8f91eea99adb21ffb3977e1a95b31e9916d989942bffe69398939ed8657ae95',
    '3f51ec2556af91631ce7bafa74d33536a109c88b0290b83ae5b0cdc0e122e3f9',
    'c94341030d41a97955cf16848dda56cf050232c47eb1b4079e880999bbdff208',
    '11884837db686a2c707fa6bd68c0d0a82fbb6fa8d3f90d91ac409f7d72a16a30',
    '15072b41b041d0a99b0db6b9cfc07091607b0cde84de000591b6b3a81e67d2de',
  ])
})
