// The kinds of damage that names, e-mail addresses and dates of birth can have. Pure.

import { withoutInvisible } from '#src/domain/recipient/invisible-characters.ts'
import type { DamageKind } from './damage-kind.ts'
import { isEnclosed } from './kinds-in-text.ts'

const oneAddress = 'Write one address, such as name@example.org.'

export const kindsInNames: readonly DamageKind[] = [
  {
    rule: 'damaged_letters',
    use: 'name',
    title: 'a question mark, which replaces a lost letter',
    finds: ({ value }) => /[?？]/.test(value),
    wrong: 'which has a question mark where a letter was lost',
    remedy: 'Export the file again as UTF-8, or type the value again.',
    catches: ['Ren?', '????', 'M?ller'],
    passes: ['René', 'Müller', 'Ren'],
  },
  {
    rule: 'enclosed',
    use: 'name',
    title: 'a name in quotation marks, brackets or other marks',
    finds: ({ value }) => isEnclosed(value),
    wrong: 'which is in quotation marks or brackets that are not part of the name',
    remedy: 'Remove the marks.',
    catches: ["'Ada'", '„Lovelace“', '(Ada)', '*Ada*', '"Ada"'],
    passes: ["'t Hooft", 'O’Neill', 'Ada (Byron)', '“Bo” and “Jo”', '"Bo" Jensen'],
  },
  {
    rule: 'no_letter',
    use: 'name',
    title: 'a name without a letter',
    // People who have only one name are entered with a dash or a full stop for the other.
    finds: ({ value }) => !/\p{L}|^[-–—.]$/u.test(value),
    wrong: 'which contains no letters',
    remedy: 'Enter the name. A look-up of an empty cell shows 0.',
    catches: ['0', '45413', '2024-05-01', '0 0', '--'],
    passes: ['O', '李', '-', 'X Æ A-12'],
  },
  {
    rule: 'unusual_character',
    use: 'name',
    title: 'a character that names do not contain',
    finds: ({ value }) => unusual.test(value) || /\S@|@\S/.test(value),
    wrong: 'which has a character that names do not contain',
    remedy:
      'Write the name alone. If it is right as it is, the operator can let the rule rest: columns: { …: { column: …, allow: [unusual_character] } }.',
    catches: ['Ada™', 'Ada_Lovelace', 'Ada|Lovelace', 'ada@example.org', 'Mart¿n', 'Ada 🙂'],
    passes: ["D'Arcy-O’Neill", 'Smith & Sons', 'Anne–Marie', 'Kumar A/L Raman', 'Tan @ Lim', 'S:t Clair', '!Naruseb'],
  },
  {
    rule: 'email',
    use: 'address',
    title: 'an address with letters that look like others, or that nobody sees',
    finds: ({ value }) => hasDeceptiveLetters(value),
    wrong: 'which is an e-mail address with letters that look like others, or that nobody sees',
    remedy: 'Type the address again, such as name@example.org.',
    neverRests: true,
    ofMany: 'is not an e-mail address',
    catches: ['\u0430da@example.org', 'ada@ex\u200bample.org', 'ａda@example.org'],
    passes: ['ада@пример.example', 'ada@пример.example', 'δ@example.org'],
  },
  {
    rule: 'email',
    use: 'address',
    title: 'something that is not one address, or an address written in another way than the usual one',
    finds: ({ value }) => !isPlainAddress(value),
    wrong: 'which is not one e-mail address written in the usual way',
    remedy: oneAddress,
    neverRests: true,
    catches: ['<a@example.org>', 'mailto:a@example.org', 'a@example.org.', '"a@example.org"', 'a@x..org', '"a"@x.org'],
    passes: ['a@example.org', '"ada king"@example.org', "o'neill+x@sub.example.org", 'ä@müller.example'],
  },
  {
    rule: 'birth_date',
    use: 'birth date',
    title: 'a date of birth that nobody has',
    // The zero date of a system, a year of another calendar, or a day in the future.
    finds: ({ value, today = '2100' }) =>
      value < '1600' || value > today || ['1753-01-01', '1899-12-30', '1899-12-31', '1900-01-01'].includes(value),
    wrong: 'which is not a possible date of birth',
    remedy: 'Enter the date of birth by the Gregorian calendar, or leave the cell empty if it is not required.',
    catches: ['0001-01-01', '1899-12-30', '2567-03-01', '9999-12-31'],
    passes: ['1901-02-03', '1970-01-01', '2010-12-31'],
  },
]

// Matches anything but letters, marks, digits, blanks, apostrophes, quotation marks, hyphens, dots and the signs that
// join names in the scripts of the world. In Southern Africa, ! and / stand for clicks; in Malaysia, @ and A/L are
// signs in names; in East Asia, • · ・ ＝ join the parts of foreign names.
const unusual =
  /[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Zs}\p{Pd}\p{Default_Ignorable_Code_Point}'"’‘‛‚„“”«»‹›`´ʹ′.,:&/()!@•·・･‧∙‐＝．，（）、。\u05f3\u05f4\u055a-\u055f\u0589\u0f0b\u0f0c\u1361\u060c\u06d4।]|[\u202d\u202e]/u

// < > ( ) [ ] , ; : | and a blank are signs of mail programs. In an address they only occur within quotation marks.
const plain = /^[^\s<>()[\],;:\\|"@\p{C}]+$/u
const quoted = /^"(?:[^"\\\p{Cc}]|\\["\\])+"$/u
const escapedByte = /%[\da-f]{2}/i
// xn-- is another way to write a domain with letters outside ASCII.
const label = /^(?!xn--)[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/iu
// Scripts with letters that look like those of another script.
const alike = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

/**
 * Returns true if `value` is one address in its plain form. Mail programs accept other forms for the same inbox
 * (<a@x.org>, mailto:a@x.org, "a"@x.org, a@x.org.), and each of them would count as another person, with a second
 * credential.
 */
function isPlainAddress(value: string): boolean {
  const at = value.lastIndexOf('@')
  return (
    at > 0 &&
    isLocalPart(value.slice(0, at)) &&
    value
      .slice(at + 1)
      .split('.')
      .every((part) => label.test(part))
  )
}

/** @returns true if the address has letters that look like others, or invisible characters */
function hasDeceptiveLetters(value: string): boolean {
  if (withoutInvisible(value) !== value || value.normalize('NFKC') !== value) return true
  return value.split(/[^\p{L}\p{M}]+/u).some((part) => alike.filter((script) => script.test(part)).length > 1)
}

function isLocalPart(local: string): boolean {
  // Quotation marks that the text in them does not need are another way to write the same address.
  if (quoted.test(local)) return !isDotAtom(local.slice(1, -1))
  return isDotAtom(local)
}

function isDotAtom(local: string): boolean {
  return plain.test(local) && !/^[.']|\.$|\.\./.test(local) && !escapedByte.test(local)
}
