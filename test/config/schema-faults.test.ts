// The sentences about faults in the configuration file.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { faultsOf } from '#config/schema-faults.ts'

const uuid = 'a uuid, such as 8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11'
const listedIn = '(config/settings.md lists all settings)'
test.each<[z.ZodType, unknown, string, string]>([
  [z.string(), 7, 'the file', 'is not text; put a number in quotes'],
  [z.int(), 'x', 'the file', 'is not a number'],
  [z.number(), true, 'the file', 'is not a number'],
  [z.boolean(), 1, 'the file', 'is not true or false'],
  [z.strictObject({}), 1, 'the file', 'is not a group of settings'],
  [z.record(z.string(), z.string()), 1, 'the file', 'is not a group of settings'],
  [z.array(z.string()), 'x', 'the file', 'is not a list'],
  [z.strictObject({ a: z.boolean() }), {}, 'a', 'is missing; it must be true or false'],
  [z.strictObject({ a: z.never('not yet') }), { a: 1 }, 'a', 'not yet'],
  [z.strictObject({}), { prots: 1 }, 'prots', `is not a setting; check the spelling ${listedIn}`],
  [
    z.strictObject({ web: z.strictObject({}) }),
    { web: { Port: 1 } },
    'web.Port',
    `is not a setting; did you mean port? ${listedIn}`,
  ],
  [z.enum(['a', 'b']), 'c', 'the file', 'is not one of a, b'],
  [z.string().min(1), '', 'the file', 'is empty'],
  [z.number().min(3), 2, 'the file', 'is less than 3'],
  [z.number().max(3), 4, 'the file', 'is more than 3'],
  [z.guid(), 'x', 'the file', `is not ${uuid}`],
  [z.string().regex(/a/, 'has no a'), 'b', 'the file', 'has no a'],
  [z.string().refine(() => false, 'is odd'), 'b', 'the file', 'is odd'],
  [
    z.strictObject({ pipelines: z.record(z.string(), z.strictObject({ course: z.string() })) }),
    { pipelines: { spring: {} } },
    'pipelines.spring.course',
    `is missing; it must be ${uuid}`,
  ],
  [z.record(z.string().regex(/^a/, 'is not allowed'), z.string()), { b: 'x' }, 'b', 'as a name, is not allowed'],
  [z.union([z.string(), z.number()], { error: 'is neither' }), true, 'the file', 'is neither'],
])('the fault of %# is told in a sentence', (schema, value, where, sentence) => {
  const faults = schema.safeParse(value).error?.issues.flatMap(faultsOf)
  expect(faults).toEqual([{ where, sentence }])
})

test.each<[string, object, object[]]>([
  [
    'that is likelier',
    { a: 7, c: 1 },
    [
      { where: 'source.a', sentence: 'is not text; put a number in quotes' },
      { where: 'source.c', sentence: `is not a setting; check the spelling ${listedIn}` },
    ],
  ],
  ['that is likelier, the second', { b: 7 }, [{ where: 'source.b', sentence: 'is not text; put a number in quotes' }]],
  ['if none is likelier', { c: 1 }, [{ where: 'source', sentence: 'is neither form' }]],
])('of a source with two forms, the faults of the form are told %s', (_, source, faults) => {
  const forms = z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })], {
    error: 'is neither form',
  })
  expect(z.strictObject({ source: forms }).safeParse({ source }).error?.issues.flatMap(faultsOf)).toEqual(faults)
  const other = z.strictObject({ other: forms }).safeParse({ other: source })
  expect(other.error?.issues.flatMap(faultsOf)).toEqual([{ where: 'other', sentence: 'is neither form' }])
})
