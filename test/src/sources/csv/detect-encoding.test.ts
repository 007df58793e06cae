// What is told about a list that is not UTF-8, over names of many languages: no wrong encoding is named, and no reading is taken that makes
// no names.

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '#src/sources/byte-source.ts'
import { detectEncoding } from '#src/sources/csv/detect-encoding.ts'
import { refusalsOf } from '#src/sources/source-error.ts'
import { encodedText } from '#test/support/encoded-text.ts'

const refuse = refusalsOf('list.csv')

function detect(bytes: Buffer, declared?: string) {
  const source: ByteSource = { head: async () => bytes, stream: () => Readable.from([bytes]) }
  return detectEncoding(source, declared, refuse).then(
    ({ encoding }) => encoding,
    (error: Error) => error.message,
  )
}

/** A list of people who have each of `names` once as their first name and once as their last. */
function listOf(names: string, encoding: string): Buffer {
  const words = names.split(' ')
  const lines = words.map((name, at) => `p${at}@example.org,${name},${words[(at + 1) % words.length]}\r\n`)
  return encodedText(`Email,First Name,Last Name\r\n${lines.join('')}`, encoding)
}

const lists: [string, string, string][] = [
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
  ['German of a Macintosh', 'macintosh', 'Müller Bärbel Günther Jörg Weiß Käthe'],
]
const untold: [string, string, string][] = [
  ['German of DOS', 'ibm850', 'Jörg Müller Björn Schröder Käthe Größe'],
  ['Chinese', 'gbk', '王伟 李娜 张敏 刘洋 陈静 杨磊 赵强 黄丽 周涛 吴霞 徐明 孙悦 马超 朱琳 胡军'],
  ['Chinese of Taiwan', 'big5', '王偉 李娜 張敏 劉洋 陳靜 楊磊 趙強 黃麗'],
  ['Korean', 'euc-kr', '김민수 이영희 박지훈 최수진 정현우 강미경 조성민 윤서연 장동건'],
  ['Japanese', 'shift_jis', '太郎 花子 一郎 美咲 健太 由美'],
  ['Thai', 'windows-874', 'สมชาย สมหญิง วิชัย มาลี ประเสริฐ'],
  ['Arabic', 'windows-1256', 'محمد فاطمة أحمد خالد سارة يوسف مريم عمر'],
  ['Hebrew', 'windows-1255', 'דוד משה שרה רון גל דן לוי כהן'],
]

describe('a list of people that does not say how it is written', () => {
  test.each(lists)('%s in %s is refused, and no other encoding is named', async (_, encoding, names) => {
    const told = await detect(listOf(names, encoding))
    expect(told).toMatch(/Save it as UTF-8: in Excel .* in LibreOffice /)
    expect(/likely is ([\w-]+)/.exec(told)?.[1] ?? encoding).toBe(encoding)
  })

  test('is named its encoding in most of these languages', async () => {
    const told = await Promise.all(lists.map(([, encoding, names]) => detect(listOf(names, encoding))))
    expect(told.filter((sentence) => sentence.includes('likely is')).length).toBeGreaterThan(6)
  })

  test.each(untold)('%s in %s is refused, and no encoding is named', async (_, encoding, names) => {
    for (const some of [names, names.split(' ').slice(0, 3).join(' '), names.split(' ').slice(0, 2).join(' ')]) {
      const told = await detect(listOf(some, encoding))
      expect(told).toMatch(/(would make wrong names of it|in another encoding).*Save it as UTF-8/)
      expect(told).not.toMatch(/likely|cut off/)
    }
  })

  test.each([
    ['Chinese', 'gbk', '王伟 小明'],
    ['Korean', 'euc-kr', '배 민수'],
    ['Hebrew', 'windows-1255', 'דוד משה'],
  ])('of one person in %s is not taken for damaged UTF-8 or for names', async (_, encoding, names) => {
    const told = await detect(listOf(names, encoding))
    expect(told).toMatch(/would make wrong names|is written in another encoding/)
    expect(told).not.toMatch(/cut off/)
  })

  test.each([
    'Jürgen Müller Sandøe Strandøe',
    'Guðrún Jónsdóttir Aþena Nýbýlavegur',
    'Guðrún Jónsdóttir Endurskoðandi Bifreiðaskoðun',
    'Arbër Hoxha dytë parë',
    'Kåre Bø Philosophiæ Scientiæ',
    'José Simões Simões_José.jpg João',
    'René Nicolò Nicolò_René.jpg Zoë',
    'Hélène García García_Hélène.jpg Núñez',
  ])('is taken when it is one of %s', async (names) => {
    expect(await detect(listOf(names, 'windows-1252'))).toBe('windows-1252')
  })

  test('is not refused whole for a word or two of many', async () => {
    const good = Array.from({ length: 200 }, (_, n) => `Müller${n}`).join(' ')
    expect(await detect(listOf(`${good} Jiøí Dvoøák`, 'windows-1252'))).toBe('windows-1252')
    expect(await detect(listOf('Jiøí Dvoøák', 'windows-1252'))).toMatch(/would make wrong names/)
  })

  test('is looked through in time that grows with its size, however long its words are', async () => {
    const header = 'Email,First Name,Last Name,Token\n'
    const row = `a@example.org,Ren\xe9,B,${'a'.repeat(500_000)}\xe9${'b'.repeat(500_000)}\xf2${'\xe9'.repeat(200_000)}\n`
    expect(await detect(Buffer.from(header + row, 'latin1'))).toBe('windows-1252')
  }, 5_000)
})

describe('an encoding that was declared', () => {
  test.each([...lists, ...untold.filter(([, encoding]) => /windows/.test(encoding))])(
    'is taken for %s in %s',
    async (_, encoding, names) => {
      expect(await detect(listOf(names, encoding), encoding)).toBe(encoding)
    },
  )

  test.each([
    ['macintosh', 'ibm850'],
    ['windows-1251', 'gbk'],
    ['windows-1251', 'euc-kr'],
    ['windows-1251', 'windows-874'],
    ['windows-1253', 'windows-1256'],
    ['windows-1250', 'shift_jis'],
    ['windows-1252', 'windows-1255'],
    ['windows-1252', 'windows-1256'],
  ])('%s is refused for a list in %s', async (declared, written) => {
    const names = untold.find(([, encoding]) => encoding === written)?.[2] as string
    expect(await detect(listOf(names, written), declared)).toMatch(
      new RegExp(`declared as ${declared}, and that makes no names of it: line \\d+ .* Save it as UTF-8`),
    )
  })
})
