// Encodings of lists that are not UTF-8, with names of many languages: no wrong encoding is suggested, and no encoding
// is accepted that produces impossible names.

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
  return detectEncoding(source, declared, refuse).then(
    ({ encoding }) => encoding,
    (error: Error) => error.message,
  )
}

/** Makes a list of people with each of `names` once as first name and once as last name. */
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
  ['German from a Macintosh', 'macintosh', 'Müller Bärbel Günther Jörg Weiß Käthe'],
]
const listsWithoutSuggestion: [string, string, string][] = [
  ['German from DOS', 'ibm850', 'Jörg Müller Björn Schröder Käthe Größe'],
  ['Chinese', 'gbk', '王伟 李娜 张敏 刘洋 陈静 杨磊 赵强 黄丽 周涛 吴霞 徐明 孙悦 马超 朱琳 胡军'],
  ['Chinese from Taiwan', 'big5', '王偉 李娜 張敏 劉洋 陳靜 楊磊 趙強 黃麗'],
  ['Korean', 'euc-kr', '김민수 이영희 박지훈 최수진 정현우 강미경 조성민 윤서연 장동건'],
  ['Japanese', 'shift_jis', '太郎 花子 一郎 美咲 健太 由美'],
  ['Thai', 'windows-874', 'สมชาย สมหญิง วิชัย มาลี ประเสริฐ'],
  ['Arabic', 'windows-1256', 'محمد فاطمة أحمد خالد سارة يوسف مريم عمر'],
  ['Hebrew', 'windows-1255', 'דוד משה שרה רון גל דן לוי כהן'],
]

describe('a list of people of unknown encoding', () => {
  test.each(lists)('%s in %s is refused, and no wrong encoding is suggested', async (_, encoding, names) => {
    const message = await detect(listOf(names, encoding))
    expect(message).toMatch(/Save it as UTF-8: in Excel .* in LibreOffice /)
    expect(/probably ([\w-]+)/.exec(message)?.[1] ?? encoding).toBe(encoding)
  })

  test('gets the right suggestion in most of these languages', async () => {
    const messages = await Promise.all(lists.map(([, encoding, names]) => detect(listOf(names, encoding))))
    expect(messages.filter((sentence) => sentence.includes('probably')).length).toBeGreaterThan(6)
  })

  test.each(listsWithoutSuggestion)('%s in %s is refused without a suggestion', async (_, encoding, names) => {
    for (const some of [names, names.split(' ').slice(0, 3).join(' '), names.split(' ').slice(0, 2).join(' ')]) {
      const message = await detect(listOf(some, encoding))
      expect(message).toMatch(/(would make names wrong|in another encoding).*Save it as UTF-8/)
      expect(message).not.toMatch(/probably|cut off/)
    }
  })

  test.each([
    ['Chinese', 'gbk', '王伟 小明'],
    ['Korean', 'euc-kr', '배 민수'],
    ['Hebrew', 'windows-1255', 'דוד משה'],
  ])(
    'with only one person, in %s, is mistaken neither for damaged UTF-8 nor for valid names',
    async (_, encoding, names) => {
      const message = await detect(listOf(names, encoding))
      expect(message).toMatch(/would make names wrong|is written in another encoding/)
      expect(message).not.toMatch(/cut off/)
    },
  )

  test.each([
    'Jürgen Müller Sandøe Strandøe',
    'Guðrún Jónsdóttir Aþena Nýbýlavegur',
    'Guðrún Jónsdóttir Endurskoðandi Bifreiðaskoðun',
    'Arbër Hoxha dytë parë',
    'Kåre Bø Philosophiæ Scientiæ',
    'José Simões Simões_José.jpg João',
    'René Nicolò Nicolò_René.jpg Zoë',
    'Hélène García García_Hélène.jpg Núñez',
  ])('is accepted if it contains %s', async (names) => {
    expect(await detect(listOf(names, 'windows-1252'))).toBe('windows-1252')
  })

  test('is not refused for one or two strange words among many', async () => {
    const good = Array.from({ length: 200 }, (_, n) => `Müller${n}`).join(' ')
    expect(await detect(listOf(`${good} Jiøí Dvoøák`, 'windows-1252'))).toBe('windows-1252')
    expect(await detect(listOf('Jiøí Dvoøák', 'windows-1252'))).toMatch(/would make names wrong/)
  })

  test('is checked in linear time, however long its words are', async () => {
    const header = 'Email,First Name,Last Name,Token\n'
    const detectLong = async (times: number) => {
      const long = [['a', 125_000], ['\xe9'], ['b', 125_000], ['\xf2'], ['\xe9', 50_000]] as [string, number?][]
      const token = long.map(([letter, count]) => letter.repeat(count ? count * times : 1)).join('')
      const row = `a@example.org,Ren\xe9,B,${token}\n`
      expect(await detect(Buffer.from(header + row, 'latin1'))).toBe('windows-1252')
    }
    expect(await growth(detectLong)).toBeLessThan(linear)
  })
})

describe('a declared encoding', () => {
  test.each([...lists, ...listsWithoutSuggestion.filter(([, encoding]) => /windows/.test(encoding))])(
    'is accepted for %s in %s',
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
    const names = listsWithoutSuggestion.find(([, encoding]) => encoding === written)?.[2] as string
    expect(await detect(listOf(names, written), declared)).toMatch(
      new RegExp(
        `declared as ${declared}, but in that encoding its names are not valid: line \\d+ .* Save it as UTF-8`,
      ),
    )
  })
})
