// The table of kinds of damage: each entry finds its examples, lets those near them pass, and stands in docs/files.md.

import { describe, expect, test } from 'vitest'
import { damageKinds } from '#src/domain/recipient/damage/damage-kinds.ts'
import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const fieldOf = {
  name: aField('First Name'),
  address: aField('Email', { name: 'email_' }),
  'birth date': aField('Birth Date', { type: 'date', inputType: 'date-picker' }),
  text: aField('Topic'),
  any: aField('Topic'),
}

describe.each(damageKinds)('$rule: $title', ({ rule, use, catches, passes, wrong, remedy, neverRests }) => {
  const field = fieldOf[use]

  test.each([...new Set(catches)])('is found in %j', (value) => {
    const { broken, violations } = checkOne(field, value)
    expect(broken).toEqual([rule])
    if (rule !== 'control_character') expect(violations[0]?.sentence).toContain(`, ${wrong}. ${remedy}`)
    const isFound = checkOne(field, value, undefined, { column: field.displayName, allow: [rule] }).broken.includes(
      rule,
    )
    expect(isFound).toBe(neverRests === true)
  })

  test.each(passes)('is not found in %j', (value) => {
    expect(checkOne(field, value)).toMatchObject({ broken: [], value: value.normalize('NFC') })
  })

  test('is described for many rows, with a remedy', () => {
    expect(describeRule(rule, 'A')).not.toContain('breaks the rule')
    expect(remedyOfRule(rule, 'A')).toMatch(/\.$/)
  })
})

test('one inbox that is written in other ways makes an invalid row', () => {
  const ways = ['a@x.org;', 'Ada<a@x.org>', '(a@x.org)', 'a@x.org|b', '.a@x.org', 'a@-x.org', '%61@x.org', 'a@x,org']
  for (const way of [...ways, 'a.@x.org', '"\\a"@x.org', 'a@x.org\u200b.', 'a＠x.org'])
    expect(checkOne(fieldOf.address, way).broken, way).toEqual(['email'])
})
