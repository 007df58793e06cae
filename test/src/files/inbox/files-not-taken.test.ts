// The page about files that are not taken from an inbox, as its owner reads it.

import { describe, expect, test } from 'vitest'
import { filesNotTaken, notTakenPage } from '#src/files/inbox/files-not-taken.ts'
import type { FileNotTaken } from '#src/files/inbox/open-inbox.ts'

const inbox = { pattern: '*.csv', marker: '.done' }
const other = (name: string): FileNotTaken => ({ name, why: 'another name' })

describe('files that are not taken', () => {
  test.each<[FileNotTaken, string]>([
    [other('list.dat'), 'its name does not match *.csv (source.pattern)'],
    [other('list.XLS'), 'a .xls file is not taken; save it as .xlsx or CSV'],
    [other('list.tsv'), 'a .tsv file is not taken; if it is a table, name it .csv'],
    [other('README'), 'its name does not match *.csv (source.pattern)'],
    [{ name: 'list.csv', why: 'no marker' }, 'it waits for list.csv.done next to it'],
    [{ name: 'list.csv', why: 'a link' }, 'it is a link, which is never followed; put the file itself into the inbox'],
    [{ name: 'list.csv', why: 'not readable' }, "the worker may not read it; give the worker's account read access"],
  ])('%j: %s', (file, why) => {
    expect(filesNotTaken([file], inbox)?.examples[0]?.why).toBe(why)
  })

  test('are not listed if there are none', () => {
    expect(filesNotTaken([], inbox)).toBeNull()
  })

  test('are listed in order, at most twenty of them, and the rest are counted', () => {
    const notTaken = filesNotTaken(
      Array.from({ length: 25 }, (_, n) => other(`${String(n).padStart(2, '0')}.dat`)).reverse(),
      inbox,
    )
    expect(notTaken?.examples.map(({ name }) => name).slice(0, 2)).toEqual(['00.dat', '01.dat'])
    expect([notTaken?.count, notTaken?.examples.length]).toEqual([25, 20])
    expect(notTaken && notTakenPage(notTaken, new Date('2026-11-21T02:00:30Z'))).toMatch(
      /^As of 2026-11-21 02:00 UTC these were not taken from the inbox:\n\n {2}00\.dat: .*\n[\s\S]* {2}and 5 more\n$/,
    )
  })

  test('are listed without characters that move a cursor or reverse the writing direction', () => {
    expect(filesNotTaken([other('a\u001b[2J\u202e\n.dat')], inbox)?.examples[0]?.name).toBe('a?[2J??.dat')
  })
})
