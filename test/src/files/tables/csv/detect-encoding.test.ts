// Encodings of lists that are not UTF-8, with names of many languages: none is read undeclared, the message names the
// right encoding or none, and no name stands in it.

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import { detectEncoding } from '#src/files/tables/csv/detect-encoding.ts'
import { refusalsOf } from '#src/files/tables/source-error.ts'
import { growth, linear } from '#test/support/cpu-growth.ts'
import { encodedText } from '#test/support/encoded-text.ts'

const refuse = refusalsOf('list.csv')

function detect(bytes: Buffer, declared?: string) {
  const source: ByteSource = { head: async () => bytes, stream: () => Readable.from([bytes]) }
  return detectEncoding(source, declared, refuse).catch((error: Error) => error.message)
}

/** Makes a list of people with each of `names` once as first name and once as last name. */
function listOf(names: string, encoding: string): Buffer {
  const words = names.split(' ')
  const lines = words.map((name, at) => `p${at}@example.org,${name},${words[(at + 1) % words.length]}\r\n`)
  return encodedText(`Email,First Name,Last Name\r\n${lines.join('')}`, encoding)
}

const lists: [string, string, string][] = [
  ['German', 'windows-1252', 'Jürgen Müller Jörg Käthe'],
  ['several western languages', 'windows-1252', 'Jürgen Søren Renée Núñez João Guðrún'],
  ['Polish', 'windows-1250', 'Łukasz Michał Grażyna Wójcik Zieliński Żak Śliwa'],
  ['Polish', 'iso-8859-2', 'Łukasz Michał Wiśniewska Grażyna Wójcik Zieliński Żak'],
  ['Czech', 'windows-1250', 'Jiří Novák Dvořáková Kateřina Kučera Růžička Černý Šimek Zdeněk'],
  ['Hungarian', 'windows-1250', 'Szűcs Győri Gergő László Erdős Szabó Tóth Kőszegi'],
  ['Romanian', 'windows-1250', 'Ştefan Ioniţă Stănescu Mădălina Bălan Ţepeş'],
  ['Turkish', 'windows-1254', 'Ayşe Yıldız Erdoğan Yılmaz Barış Çelik Şahin Öztürk'],
  ['Latvian', 'windows-1257', 'Bērziņš Kalniņš Jānis Kārlis Līga Ģirts Ķēniņš'],
  ['Russian', 'windows-1251', 'Анна Петров Сергей Ольга Иванов Дмитрий'],
  ['Russian', 'koi8-r', 'Анна Петров Сергей Ольга Иванов Дмитрий'],
  ['Greek', 'windows-1253', 'Γιώργος Ελένη Μαρία Νίκος Παπαδόπουλος'],
  ['German from a Macintosh', 'macintosh', 'Müller Bärbel Günther Jörg Weiß Käthe'],
  ['Chinese', 'gbk', '王伟 李娜 张敏 刘洋 陈静 杨磊 赵强 黄丽 周涛 吴霞 徐明 孙悦 马超 朱琳 胡军'],
  ['Chinese, one person', 'gbk', '王伟 小明'],
  ['Chinese from Taiwan', 'big5', '王偉 李娜 張敏 劉洋 陳靜 楊磊 趙強 黃麗'],
  ['Japanese', 'shift_jis', '太郎 花子 一郎 美咲 健太 由美 サトー'],
]
const unnamedLists: [string, string, string][] = [
  ['German from DOS', 'ibm850', 'Jörg Müller Björn Schröder Käthe Größe'],
  ['Thai', 'windows-874', 'สมชาย สมหญิง วิชัย มาลี ประเสริฐ'],
  ['Arabic', 'windows-1256', 'محمد فاطمة أحمد خالد سارة يوسف مريم عمر'],
  ['Hebrew', 'windows-1255', 'דוד משה שרה רון גל דן לוי כהן'],
]
const unclearLists: [string, string, string, string][] = [
  ['Danish or Czech', 'windows-1252', 'Sørensen Bjørn', 'windows-1252 or windows-1250 or windows-1257'],
  ['Korean or Chinese, one person', 'euc-kr', '배 민수', 'gbk or euc-kr or big5'],
  ['Korean or Chinese', 'euc-kr', '김민수 이영희 박지훈 최수진 정현우', 'gbk or euc-kr'],
]

describe('a list of people whose encoding is not declared', () => {
  test.each(lists)('is refused, and its encoding is named: %s in %s', async (_, encoding, names) => {
    expect(await detect(listOf(names, encoding))).toMatch(
      new RegExp(
        `but probably ${encoding}: see line 2[.,] .*Save it as UTF-8.* Or set file.encoding.* to ${encoding}, if that is right\\.$`,
      ),
    )
  })

  test.each(unnamedLists)('is refused, and no encoding is named: %s in %s', async (_, encoding, names) => {
    for (const some of [names, names.split(' ').slice(0, 2).join(' ')])
      expect(await detect(listOf(some, encoding))).toMatch(/UTF-8 nor UTF-16: see line 2\. .*to the actual encoding\.$/)
  })

  test.each(unclearLists)(
    'is refused, and every encoding that fits is named: %s in %s',
    async (_, encoding, names, all) => {
      expect(await detect(listOf(names, encoding))).toContain(`but probably ${all}: see line 2`)
    },
  )

  test.each([...lists, ...unnamedLists, ...unclearLists])('is refused without showing a name: %s', async (...list) => {
    const message = await detect(listOf(list[2], list[1]))
    expect(list[2].split(' ').filter((name) => message.includes(name))).toEqual([])
  })

  test('shows a line of it in each likely encoding, so that the right one can be seen', async () => {
    expect(await detect(listOf('Jens Sørensen', 'windows-1252'))).toContain(
      'line 2, which has “…ø…” in windows-1252 or “…ř…” in windows-1250 or “…ų…” in windows-1257. How',
    )
  })

  test('is checked in linear time, however long its words are', async () => {
    const header = 'Email,First Name,Last Name,Token\n'
    const detectLong = async (times: number) => {
      const long = [['a', 125_000], ['\xe9'], ['b', 125_000], ['\xf2'], ['\xe9', 50_000]] as [string, number?][]
      const token = long.map(([letter, count]) => letter.repeat(count ? count * times : 1)).join('')
      const row = `a@example.org,Ren\xe9,B,${token}\n`
      expect(await detect(Buffer.from(header + row, 'latin1'))).toContain('see line 2')
    }
    expect(await growth(detectLong)).toBeLessThan(linear)
  })
})

test.each(lists)('a declared encoding is used: %s in %s', async (_, encoding, names) => {
  expect(await detect(listOf(names, encoding), encoding)).toBe(encoding)
})
