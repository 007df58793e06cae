// Which sent values a report item shows, by tables.

import { describe, expect, test } from 'vitest'
import { confirmed, echoesIn, isOf } from '#src/probe/echoes.ts'
import { withoutValues } from '#src/probe/run-probe.ts'
import { nobodys } from '#src/probe/try-searches.ts'

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
    ['a value too short to be told from chance', 'Abc', 'Abc'],
    ['a number that lost its zeros', '000123', '123'],
  ])('is not found for %s', (_, sent, shown) => {
    expect(echoesIn({ Name: sent }, { fname: shown })).toEqual([])
  })

  test('is found under each of several keys, and for a number as for its text', () => {
    const found = echoesIn({ Number: '12345' }, { uid: 12345, reg_no: '12345', cert_no: null })
    expect(found.map(({ key }) => key)).toEqual(['uid', 'reg_no'])
  })

  test('counts only when two people agree on it, and is as weak as the weaker of the two', () => {
    const first = echoesIn({ A: 'Probe1', B: 'Probe2' }, { x: 'Probe1', y: 'Probe2' })
    const second = echoesIn({ A: 'Other1', B: 'Other2' }, { x: 'OTHER1', y: null })
    expect(confirmed(first, second)).toEqual([{ field: 'A', key: 'x', match: 'folded' }])
  })
})

test('an item is of the person whose own value it shows, however spelt', () => {
  expect(isOf(['a@example.org'], { email_: 'A@Example.org ' })).toBe(true)
  expect(isOf(['a@example.org'], { email_: 'b@example.org', fname: null })).toBe(false)
})

test('a value that nobody has keeps its form and differs in every letter and digit', () => {
  expect(nobodys('Ab-09@example.org')).toBe('No-54@rknzcyr.bet')
})

test('words of the service lose the values that were sent', () => {
  expect(withoutValues('Probeabc was invited.', [{ own: ['probeabc'] }])).toBe('[value] was invited.')
})
