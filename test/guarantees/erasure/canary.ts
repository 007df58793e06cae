// A canary: a person each of whose values is a token that occurs nowhere else, and the forms in which a token may be left
// in bytes. Pure.

import { unpack } from '#test/src/files/tables/fuzz/unpack.ts'

export interface Canary {
  email: string
  first: string
  last: string
  /** The last name before a correction, and after it. */
  formerLast: string
  phone: string
  remark: string
  username: string
  idnumber: string
  /** The number of the account in the learning system. */
  learner: string
  photo: string
}

export const gone: Canary = {
  email: 'xorquil.vamp@example.org',
  first: 'Žyphandré',
  last: 'Brünnqvist-Oz',
  formerLast: 'Wubbelthornë',
  phone: '+44 7700 911864',
  remark: 'Quaxembrillo',
  username: 'vexlogin77',
  idnumber: 'kq774411zz',
  learner: '917744110033',
  photo: 'jixphotograph',
}

export const stays: Canary = {
  email: 'mottled.yarrow@example.org',
  first: 'Òskarella',
  last: 'Pfützenreuter',
  formerLast: 'Grützmacherin',
  phone: '+44 7700 922975',
  remark: 'Zwirbelnatter',
  username: 'bartlogin88',
  idnumber: 'hp885522yy',
  learner: '918855220044',
  photo: 'wumphotograph',
}

/** The names of the values of a canary that occur in the bytes, in any encoding. An archive is unpacked. */
export function canaryIn(bytes: Buffer, canary: Canary): string[] {
  if (bytes.length === 0) return []
  const members = unpack(bytes) ?? []
  const found = new Set(
    members.flatMap(({ name, content }) => [
      ...canaryIn(Buffer.from(name), canary),
      ...canaryIn(Buffer.from(content), canary),
    ]),
  )
  const texts = readings(bytes).map(folded)
  const raw = bytes.toString('latin1')
  const digits = raw.replace(/[^0-9a-z]/gi, '')
  for (const [name, token] of Object.entries(canary)) {
    const { plain, encoded, digitsOnly } = needlesOf(token)
    if (
      texts.some((text) => text.includes(plain)) ||
      encoded.some((needle) => raw.includes(needle)) ||
      (digitsOnly !== null && digits.includes(digitsOnly))
    )
      found.add(name)
  }
  return [...found].toSorted()
}

interface Needles {
  plain: string
  encoded: string[]
  /** Of a number, without the code of its country. */
  digitsOnly: string | null
}
const needles = new Map<string, Needles>()

/** What to look for. It is the same in every search, and there are thousands. */
function needlesOf(token: string): Needles {
  const known = needles.get(token)
  if (known) return known
  const digitsOnly = /^[+\d ]+$/.test(token) ? token.replace(/\D/g, '').slice(2) : null
  const made = { plain: folded(token), encoded: [...new Set(encodings(token))], digitsOnly }
  needles.set(token, made)
  return made
}

/** Without case, marks and ligatures: composed and decomposed letters are the same. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The bytes as UTF-8, UTF-16 of either order at either offset, and with escapes undone. */
function readings(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  const latin = bytes.toString('latin1')
  const readings = [text, latin, ...unescaped(text)]
  for (const offset of [0, 1]) {
    const half = bytes.subarray(offset, bytes.length - ((bytes.length - offset) % 2))
    readings.push(half.toString('utf16le'), Buffer.from(half).swap16().toString('utf16le'))
  }
  return readings
}

/** Undoes escapes of JSON, HTML, quoted-printable, URLs and of PostgreSQL's octal notation. */
function unescaped(text: string): string[] {
  const found: string[] = []
  if (/\\u[0-9a-f]{4}/i.test(text))
    found.push(text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))))
  if (/&#\w+;/.test(text))
    found.push(
      text.replace(/&#(x?)([0-9a-f]+);/gi, (_, x, code) =>
        String.fromCodePoint(Math.min(Number.parseInt(code, x ? 16 : 10) || 0, 0x10ffff)),
      ),
    )
  for (const sign of ['=', '%'])
    if (new RegExp(`${sign}[0-9A-F]{2}`, 'i').test(text))
      found.push(
        Buffer.from(
          text
            .replace(/=\r?\n/g, '')
            .replace(new RegExp(`${sign}([0-9A-F]{2})`, 'gi'), (_, hex) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
          'latin1',
        ).toString('utf8'),
      )
  return found
}

/** What the token looks like in base64, at each of the three places where it can begin, and in hex. */
function encodings(token: string): string[] {
  const forms = new Set([
    token,
    token.normalize('NFC'),
    token.normalize('NFD'),
    token.toLowerCase(),
    token.toUpperCase(),
  ])
  return [...forms].flatMap((form) =>
    [Buffer.from(form), Buffer.from(form, 'utf16le')].flatMap((bytes) => {
      const inBase64 = [0, 1, 2].map((before) =>
        Buffer.concat([Buffer.alloc(before), bytes])
          .toString('base64')
          .slice(before === 0 ? 0 : before + 1)
          .replace(/.?=*$/, '')
          .slice(0, -1),
      )
      const hex = bytes.toString('hex')
      const asUrl = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
      return [...inBase64, ...asUrl, hex, hex.toUpperCase()]
    }),
  )
}
