// Recognizing and comparing UUIDs.

import { expect, test } from 'vitest'
import { isUuid, sameUuid } from '#src/platform/uuid.ts'

const uuid = '0d1e2f3a-4b5c-4d6e-8f90-a1b2c3d4e5f6'

test('a uuid is recognized in either case, and only with nothing around it', () => {
  expect([uuid, uuid.toUpperCase()].map(isUuid)).toEqual([true, true])
  expect(['', ` ${uuid}`, `{${uuid}}`, uuid.replaceAll('-', ''), `${uuid}0`].map(isUuid)).not.toContain(true)
})

test('uuids are equal in either case and with spaces around them, and null equals nothing', () => {
  expect(sameUuid(uuid, ` ${uuid.toUpperCase()}`)).toBe(true)
  expect(sameUuid(uuid, uuid.replace('0d', '1d'))).toBe(false)
  expect(sameUuid(null, '')).toBe(false)
})
