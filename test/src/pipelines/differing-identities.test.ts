import { expect, test } from 'vitest'
import { pipelineSchema } from '#config/schema.ts'
import { differingIdentities } from '#src/pipelines/differing-identities.ts'
import { aField } from '#test/src/recipients/fields.ts'
import { aCourse, otherCourse } from '#test/support/build.ts'

const fields = [aField('Email', { name: 'email_' }), aField('Register Number', { name: 'reg_no' })]
const byEmail = { columns: { 'Primary Value': { value: 'Email' } } }

/** What is said of two pipelines of one course. */
function said(one: object, other: object, course = aCourse): string[] {
  const all = [one, other].map((more, at) => ({
    name: ['spring', 'autumn'][at] as string,
    course: at === 0 ? aCourse.toUpperCase() : course,
    pipeline: pipelineSchema.parse({ course: aCourse, template: aCourse, badgeTemplate: aCourse, ...more }),
    fields,
  }))
  return differingIdentities(all).map(({ what }) => what)
}

test.each<[string, object, object, string]>([
  [
    'other fields that say who',
    byEmail,
    { ...byEmail, identity: ['reg_no'] },
    'identity is Email in spring, and Register Number in autumn',
  ],
  [
    'another Primary Value',
    byEmail,
    {},
    'identity is Email in spring, and what the Primary Value of each row names in autumn',
  ],
  [
    'another occasion',
    byEmail,
    { ...byEmail, occurrence: ['Term'] },
    'occurrence is nothing in spring, and Term in autumn',
  ],
])('two pipelines of a course with %s differ', (_, one, other, what) => {
  expect(said(one, other)).toEqual([what])
})

test.each<[string, object, object]>([
  ['the same settings', byEmail, byEmail],
  ['a field under its two names', { identity: ['reg_no'] }, { identity: ['Register Number'] }],
  ['the fields in another order', { identity: ['Email', 'reg_no'] }, { identity: ['REG_NO', 'email'] }],
  ['the field named that the Primary Value names', byEmail, { ...byEmail, identity: ['Email'] }],
])('two pipelines of a course with %s do not', (_, one, other) => {
  expect(said(one, other)).toEqual([])
})

test('two pipelines of two courses may differ', () => {
  expect(said(byEmail, { identity: ['reg_no'] }, otherCourse)).toEqual([])
})
