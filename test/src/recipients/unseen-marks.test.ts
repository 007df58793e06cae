import { expect, test } from 'vitest'
import { idleInSql, unseenKind, withoutIdle, withoutUnseen } from '#src/recipients/unseen-marks.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

test('the marks that nobody sees are those that Unicode says may be ignored, and few more', () => {
  const more = ['\u2800', '\ufff9', '\ufffa', '\ufffb']
  const byUnicode = (character: string) =>
    /\p{Default_Ignorable_Code_Point}/u.test(character) || more.includes(character)
  expect(everyCharacter.filter((character) => (unseenKind(character) !== null) !== byUnicode(character))).toEqual([])
})

test('those that shape letters stay where looks count, and go where texts are compared', () => {
  const text = '\u00adක්\u200dර\u2060辻\u{e0100}\u200e'
  expect(withoutIdle(text)).toBe('ක්\u200dර辻\u{e0100}')
  expect(withoutUnseen(text)).toBe('ක්ර辻')
  const shaping = everyCharacter.filter((character) => unseenKind(character) === 'shaping')
  expect(shaping.filter((each) => !/\p{Join_Control}|\p{Variation_Selector}/u.test(each))).toEqual([])
})

describeWithDatabase('the database', () => {
  test('takes out the same marks', async () => {
    await using ledger = await openTestLedger()
    const asked = everyCharacter.filter((character) => character !== '\0')
    const { rows } = await ledger.database.query<{ c: string }>(
      `SELECT c FROM unnest($1::text[]) c WHERE regexp_replace(c, '${idleInSql}', '', 'g') = ''`,
      [asked],
    )
    const here = asked.filter((character) => withoutIdle(character) === '')
    expect(rows.map(({ c }) => c).toSorted()).toEqual(here.toSorted())
  })
})
