// Looking up the names of a course file in the service's lists.

import { describe, expect, test } from 'vitest'
import type { ReferenceList } from '#src/extensions/courses/read-references.ts'
import { resolveReference } from '#src/extensions/courses/wanted-course.ts'

const uuid = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`
const list = (complete = true): ReferenceList => ({
  complete,
  references: [
    { uuid: uuid(1), names: ['Online'], labels: ['Live online', 'Live im Netz'] },
    { uuid: uuid(2), names: ['Live online'], labels: [] },
    { uuid: uuid(3), names: ['Class room'], labels: ['Unterricht'] },
    { uuid: uuid(4), names: ['Class_Room'], labels: ['Unterricht'] },
    { uuid: uuid(5), names: ['EUR', 'Euro'], labels: [] },
  ],
})
const found = (text: string) => resolveReference(text, list())

describe('a name in a list', () => {
  test.each([
    ['Online', 1, 'by its name'],
    [' online ', 1, 'ignoring case and spaces'],
    ['Live online', 2, 'by a name rather than a label'],
    ['live IM netz', 1, 'by a label'],
    ['Class room', 3, 'by its exact spelling first'],
    ['Class_Room', 4, 'by its exact spelling first'],
    ['eur', 5, 'by a code'],
    ['Euro', 5, 'by its second name'],
    [uuid(3), 3, 'by its uuid'],
  ])('is found: %j → %i, %s', (text, digit) => {
    expect(found(text)).toMatchObject({ uuid: uuid(digit) })
  })

  test('that matches two items is a fault that names both', () => {
    for (const text of ['classroom', 'Unterricht'])
      expect(found(text)).toEqual({
        fault: `“${text}” could be any of Class room (${uuid(3)}), Class_Room (${uuid(4)}); give the uuid`,
      })
  })

  test('that is unknown is a fault with a suggestion or with the list of names', () => {
    expect(found('Onlien')).toMatchObject({ fault: expect.stringContaining('did you mean “Online”?') })
    expect(found('Zebra')).toMatchObject({
      fault: expect.stringContaining('which has Online, Live online, Class room'),
    })
    expect(resolveReference('Zebra', list(false))).toMatchObject({
      fault: expect.stringContaining('only part of the list'),
    })
  })

  test('that is a uuid is accepted even if the list does not contain it, because the service validates it', () => {
    expect(found(uuid(9))).toEqual({ uuid: uuid(9), name: null })
  })
})
