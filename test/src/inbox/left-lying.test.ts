// What lies in an inbox and is not taken, as its owner reads of it.

import { describe, expect, test } from 'vitest'
import { leftLying, leftPage } from '#src/inbox/left-lying.ts'
import type { LeftFile } from '#src/inbox/open-inbox.ts'

const inbox = { pattern: '*.csv', marker: '.done' }
const other = (name: string): LeftFile => ({ name, why: 'another name' })

describe('what is not taken', () => {
  test.each<[LeftFile, string]>([
    [other('list.dat'), 'its name does not fit *.csv (source.pattern)'],
    [other('list.XLS'), 'a .xls file is not taken; save it as .xlsx or CSV'],
    [other('list.tsv'), 'a .tsv file is not taken; if it is a table, name it .csv'],
    [other('README'), 'its name does not fit *.csv (source.pattern)'],
    [{ name: 'list.csv', why: 'no marker' }, 'it waits for list.csv.done beside it'],
    [{ name: 'list.csv', why: 'a link' }, 'it is a link, which is never followed; put the file itself into the inbox'],
    [{ name: 'list.csv', why: 'not readable' }, 'the worker may not read it; give its account the right'],
  ])('%j: %s', (left, why) => {
    expect(leftLying([left], inbox)?.examples[0]?.why).toBe(why)
  })

  test('is nothing when there is nothing', () => {
    expect(leftLying([], inbox)).toBeNull()
  })

  test('is named in order, twenty at most, and counted', () => {
    const lying = leftLying(
      Array.from({ length: 25 }, (_, n) => other(`${String(n).padStart(2, '0')}.dat`)).reverse(),
      inbox,
    )
    expect(lying?.examples.map(({ name }) => name).slice(0, 2)).toEqual(['00.dat', '01.dat'])
    expect([lying?.count, lying?.examples.length]).toEqual([25, 20])
    expect(lying && leftPage(lying, new Date('2026-11-21T02:00:30Z'))).toMatch(
      /^As of 2026-11-21 02:00 UTC these were not taken from the inbox:\n\n {2}00\.dat: .*\n[\s\S]* {2}and 5 more\n$/,
    )
  })

  test('has names without what would move a cursor or turn the writing around', () => {
    expect(leftLying([other('a\u001b[2J\u202e\n.dat')], inbox)?.examples[0]?.name).toBe('a?[2J??.dat')
  })
})
