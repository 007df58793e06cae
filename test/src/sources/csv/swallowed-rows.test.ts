// Rows that vanish into a cell of another row: the row says so, and ordinary texts of several lines are left alone.

import { describe, expect, test } from 'vitest'
import { readSource } from '#test/support/read-source.ts'

const csv = (...lines: string[]) => `${lines.join('\n')}\n`
const problemsOf = async (text: string) =>
  (await readSource(text)).rows.flatMap(({ row, problem }) => (problem ? [[row, problem.rule]] : []))

describe('a quotation mark that is not closed in its line', () => {
  const header = 'e_mail,given,family,notes'
  test('is told although an inch mark further down closes it in the right place', async () => {
    const text = csv(
      header,
      'a@x.org,Ann,One,"good',
      'b@x.org,Ben,Two,fine',
      'c@x.org,Cid,Three,15"',
      'd@x.org,Dan,Four,ok',
    )
    expect(await problemsOf(text)).toEqual([[2, 'ragged-row']])
    const [first] = (await readSource(text)).rows
    expect(first?.problem?.sentence).toMatch(
      /^Column D runs over several lines, .* not closed .* send all of them again/,
    )
    expect(first?.problem?.sentence).not.toContain('Ben')
  })

  test.each([
    [
      'in a line that holds one row more',
      csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,Ben,Two,15"', 'd@x.org,Dan,F,ok'),
    ],
    ['between semicolons', csv(header.replaceAll(',', ';'), 'a@x.org;Ann;One;"good', 'b@x.org;Ben;Two;15"')],
    ['in a list without addresses', csv('no,given,family,notes', '1,Ann,One,"good', '2,Ben,Two,15"', '3,Dan,Four,ok')],
    ['with line ends of Windows', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,Ben,Two,15"').replaceAll('\n', '\r\n')],
  ])('is told %s', async (_, text) => {
    expect(await problemsOf(text)).toEqual([[2, 'ragged-row']])
  })

  test.each([
    ['an address in lines', csv(header, 'a@x.org,Ann,One,"12, High Street', 'Ulm, Bavaria, Germany, Europe"')],
    ['a list that has no address', csv(header, 'a@x.org,Ann,One,"red', 'a,b,c,d', 'blue"')],
    ['lines of fewer separators', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,fine', 'x"')],
    ['its own column of two', csv('e_mail,notes', 'a@x.org,"one', 'two,three"')],
    ['a note in the middle', csv('e_mail,notes,given', 'a@x.org,"see', 'below",Ann')],
  ])('is not suspected in %s', async (_, text) => {
    expect(await problemsOf(text)).toEqual([])
  })
})
