// The least and greatest number that a field list allows.

import { describe, expect, test } from 'vitest'
import type { Field } from '#src/domain/recipient/field.ts'
import { numberLimitsOf } from '#src/domain/recipient/number-limits.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

describe('a field of numbers', () => {
  const score = (min: Field['min'], max: Field['max']) => aField('Score', { type: 'number', min, max })
  test.each<[Field['min'], Field['max'], string, string[]]>([
    [0, 100, '0', []],
    [0, 100, '100', []],
    [0, 100, '-1', ['min_number']],
    [0, 100, '100.5', ['max_number']],
    ['0', '100', '101', ['max_number']],
    [null, 100, '-5', []],
    [null, null, '1e9', []],
    [0, 100, '1,5', []],
    [0, 100, 'A+', []],
    [1, null, '0', ['min_number']],
    [1, 9, '0x10', []],
    [1, 9, 'no 10', []],
    [1, 9, '10 %', []],
    [1, 9, '9.25', ['max_number']],
    [1, 9, '+9.125', ['max_number']],
    [1, 9, `1${'0'.repeat(15)}`, []],
    [' ', '', '-1', []],
    [' 1 ', 'nine', '0', ['min_number']],
    [' 1 ', 'nine', '99', []],
  ])('from %j to %j: %j breaks %j', (min, max, value, broken) => {
    expect(checkOne(score(min, max), value).broken).toEqual(broken)
  })

  test.each(['number', 'numeric', 'Integer', 'int', 'decimal', 'float', 'double'])('has the type %s', (type) => {
    expect(checkOne(aField('Score', { type, max: 1 }), '2').broken).toEqual(['max_number'])
    expect(checkOne(aField('Score', { inputType: type, max: 1 }), '2').broken).toEqual(['max_number'])
  })

  test('without limits has none', () => {
    expect(numberLimitsOf(score(null, null))).toBeNull()
    expect(numberLimitsOf(score('x', ' '))).toBeNull()
    expect(numberLimitsOf(score(null, 1))).toEqual({ min: null, max: 1 })
    expect(numberLimitsOf(score(1, null))).toEqual({ min: 1, max: null })
  })

  test('states the limit in its remedy', () => {
    expect(checkOne(score(0, 100), '1000').violations[0]?.sentence).toBe(
      '“Score” holds 1… (4 characters), which is more than the course allows. Enter 100 or less.',
    )
  })

  test('is not recognized by its limits alone, because the limits of a text field are not interpreted', () => {
    expect(checkOne(aField('Score', { min: 0, max: 10 }), '11').broken).toEqual([])
  })
})
