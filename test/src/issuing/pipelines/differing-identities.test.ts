// Pipelines of the same course whose settings identify people differently.

import { expect, test } from 'vitest'
import { pipelineSchema } from '#config/pipeline-settings.ts'
import { differingIdentities } from '#src/issuing/pipelines/differing-identities.ts'
import { aField } from '#test/src/domain/recipient/fields.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'

const fields = [aField('Email', { name: 'email_' }), aField('Register Number', { name: 'reg_no' })]
const byEmail = { columns: { 'Primary Value': { value: 'Email' } } }

/** Returns the differences reported for two pipelines, by default of the same course. */
function differences(one: object, other: object, course = aCourse): string[] {
  const all = [one, other].map((more, at) => ({
    name: ['spring', 'autumn'][at] as string,
    course: at === 0 ? aCourse.toUpperCase() : course,
    pipeline: pipelineSchema.parse({ course: aCourse, template: aCourse, badgeTemplate: aCourse, ...more }),
    fields,
  }))
  return differingIdentities(all).map(({ difference }) => difference)
}

test.each<[string, object, object, string]>([
  [
    'different identity fields',
    byEmail,
    { ...byEmail, identity: ['reg_no'] },
    'identity is Email in spring, and Register Number in autumn',
  ],
  [
    'different Primary Values',
    byEmail,
    {},
    'identity is Email in spring, and what the Primary Value of each row names in autumn',
  ],
  [
    'different occurrence fields',
    byEmail,
    { ...byEmail, occurrence: ['Term'] },
    'occurrence is nothing in spring, and Term in autumn',
  ],
])('two pipelines of a course with %s are reported', (_, one, other, what) => {
  expect(differences(one, other)).toEqual([what])
})

test.each<[string, object, object]>([
  ['the same settings', byEmail, byEmail],
  ['the same field under its two names', { identity: ['reg_no'] }, { identity: ['Register Number'] }],
  ['the same fields in another order', { identity: ['Email', 'reg_no'] }, { identity: ['REG_NO', 'email'] }],
  ['an identity field that is the one named by the Primary Value', byEmail, { ...byEmail, identity: ['Email'] }],
])('two pipelines of a course with %s are not reported', (_, one, other) => {
  expect(differences(one, other)).toEqual([])
})

test('two pipelines of two courses may differ', () => {
  expect(differences(byEmail, { identity: ['reg_no'] }, otherCourse)).toEqual([])
})
