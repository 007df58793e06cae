// Finding the values that were sent in a report item.

import { describe, expect, test } from 'vitest'
import { belongsTo, confirmedEchoes, echoesIn } from '#src/extensions/probe/echoes.ts'
import { withoutValues } from '#src/extensions/probe/run-probe.ts'
import { unusedValueLike } from '#src/extensions/probe/try-searches.ts'

describe('an echo', () => {
  test.each([
    ['the same value', 'Probe7', 'Probe7', 'exact'],
    ['another case', 'Probe7', 'PROBE7', 'folded'],
    ['other spaces', 'Ada Probe', ' Ada  Probe', 'folded'],
  ])('is found for %s', (_, sent, shown, match) => {
    expect(echoesIn({ Name: sent }, { fname: shown })).toEqual([{ field: 'Name', key: 'fname', match }])
  })

  test.each([
    ['a part of the value', 'Probe7', 'Probe7 and more'],
    ['nothing', 'Probe7', null],
    ['a value that is too short to rule out coincidence', 'Abc', 'Abc'],
    ['a number that lost its zeros', '000123', '123'],
  ])('is not found for %s', (_, sent, shown) => {
    expect(echoesIn({ Name: sent }, { fname: shown })).toEqual([])
  })

  test('is found under several keys, and for a number if the text is the same', () => {
    const found = echoesIn({ Number: '12345' }, { uid: 12345, reg_no: '12345', cert_no: null })
    expect(found.map(({ key }) => key)).toEqual(['uid', 'reg_no'])
  })

  test('counts only if it is found for two people, and is exact only if both are exact', () => {
    const first = echoesIn({ A: 'Probe1', B: 'Probe2' }, { x: 'Probe1', y: 'Probe2' })
    const second = echoesIn({ A: 'Other1', B: 'Other2' }, { x: 'OTHER1', y: null })
    expect(confirmedEchoes(first, second)).toEqual([{ field: 'A', key: 'x', match: 'folded' }])
  })
})

test('an item belongs to the person whose unique value it shows, ignoring case and spaces', () => {
  expect(belongsTo(['a@example.org'], { email_: 'A@Example.org ' })).toBe(true)
  expect(belongsTo(['a@example.org'], { email_: 'b@example.org', fname: null })).toBe(false)
})

test('an unused value keeps its form and differs in every letter and digit', () => {
  expect(unusedValueLike('Ab-09@example.org')).toBe('No-54@rknzcyr.bet')
})

test('the values that were sent are masked in the service’s message', () => {
  expect(withoutValues('Probeabc was invited.', ['probeabc'])).toBe('[value] was invited.')
})
