// When an adoption needs an operator before a list is issued (exit code 3).

import { expect, test } from 'vitest'
import { needsReview } from '#src/cli/text/adoption-text.ts'
import { type AdoptionTally, ReasonTally } from '#src/issuing/adopt/adopt.ts'
import type { GatheredPeople } from '#src/issuing/adopt/gather-people.ts'

const item = {} as GatheredPeople['unread'][number]
const nobody: GatheredPeople = { people: [], rejected: [], failed: [], unread: [], unmatched: [] }
const leftOne = new ReasonTally()
leftOne.add('its row is under way', {} as Parameters<ReasonTally['add']>[1])
const nothing = { surplus: 0, left: new ReasonTally() } as AdoptionTally

test.each<[string, Partial<GatheredPeople>, Partial<AdoptionTally>, boolean]>([
  ['items that could not be read', { unread: [item] }, {}, true],
  ['items that could not be matched', { unmatched: [{ item, because: 'the field is not shown' }] }, {}, true],
  ['an item that was left alone', {}, { left: leftOne }, true],
  ['a second credential', {}, { surplus: 1 }, true],
  ['rejected and failed items, and adopted people', { rejected: [item], failed: [item] }, { adopted: 3 }, false],
])('an adoption with %s needs a review, or not', (_, gathered, tally, isNeeded) => {
  expect(needsReview({ ...nobody, ...gathered }, { ...nothing, ...tally })).toBe(isNeeded)
})
