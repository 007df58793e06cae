// Tests that the names of form fields are parsed as PHP parses them.

import { describe, expect, test } from 'vitest'
import { PostedArguments } from '#sandboxes/moodle/arguments.ts'

const read = (form: string) => PostedArguments.fromPairs(new URLSearchParams(form))

describe('arguments', () => {
  test('are nested by brackets', () => {
    const [first, second] = read('users[0][id]=3&users[0][fields][1][type]=a&users[2][id]=4').structures('users')
    expect([first?.integer('id'), second?.integer('id')]).toEqual([3, 4])
    expect(first?.structures('fields').map((field) => field.text('type'))).toEqual(['a'])
  })

  test('are numbered by empty brackets', () => {
    expect(read('values[]=a&values[]=b').strings('values')).toEqual(['a', 'b'])
  })

  test('are empty lists if none were sent', () => {
    expect([read('').strings('a'), read('').structures('a'), read('').structure('a')]).toEqual([[], [], null])
  })

  test.each([
    ['a text that is not a number', () => read('a=1x').integer('a')],
    ['a decimal that is empty', () => read('a=').decimal('a')],
    ['a missing text', () => read('').text('a')],
    ['a structure for a text', () => read('a[b]=1').text('a')],
    ['a text for a list', () => read('a=1').strings('a')],
    ['a string for a structure', () => read('a[0]=1').structures('a')],
    ['a structure in a list of texts', () => read('a[0][b]=1').strings('a')],
    ['a name that is not in the list', () => read('a=1&b=2').refuseOthers(['a'])],
  ])('refuse %s', (_what, act) => {
    expect(act).toThrow('Invalid parameter value detected')
  })

  test('are removed once read', () => {
    const args = read('wstoken=t&a=1')
    expect([args.take('wstoken'), args.take('wstoken')]).toEqual(['t', null])
    expect(() => args.refuseOthers(['a'])).not.toThrow()
  })
})
