// Which characters count as invisible, in the program and in the database.

import { expect, test } from 'vitest'
import {
  idleMarksInSql,
  invisibleKind,
  withoutIdleMarks,
  withoutInvisible,
} from '#src/domain/recipient/invisible-characters.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

test('the invisible characters are those that Unicode calls ignorable, and a few more', () => {
  const additional = ['\u2800', '\ufff9', '\ufffa', '\ufffb']
  const byUnicode = (character: string) =>
    /\p{Default_Ignorable_Code_Point}/u.test(character) || additional.includes(character)
  expect(everyCharacter.filter((character) => (invisibleKind(character) !== null) !== byUnicode(character))).toEqual([])
})

test('marks that shape letters are kept in displayed text, and removed for comparisons', () => {
  const text = '\u00adක්\u200dර\u2060辻\u{e0100}\u200e'
  expect(withoutIdleMarks(text)).toBe('ක්\u200dර辻\u{e0100}')
  expect(withoutInvisible(text)).toBe('ක්ර辻')
  const shaping = everyCharacter.filter((character) => invisibleKind(character) === 'shaping')
  expect(shaping.filter((each) => !/\p{Join_Control}|\p{Variation_Selector}/u.test(each))).toEqual([])
})

describeWithDatabase('the database', () => {
  test('removes the same characters', async () => {
    await using ledger = await openTestLedger()
    const characters = everyCharacter.filter((character) => character !== '\0')
    const { rows } = await ledger.database.query<{ c: string }>(
      `SELECT c FROM unnest($1::text[]) c WHERE regexp_replace(c, '${idleMarksInSql}', '', 'g') = ''`,
      [characters],
    )
    const byCode = characters.filter((character) => withoutIdleMarks(character) === '')
    expect(rows.map(({ c }) => c).toSorted()).toEqual(byCode.toSorted())
  })
})
