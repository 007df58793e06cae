// The kinds of damage that any text can have. Pure.

import { isFormula } from '#src/domain/recipient/text-formula.ts'
import type { DamageKind } from './damage-kind.ts'
import { isMisread } from './misread-letters.ts'

const typeOrEncode = 'Type the value again, or declare the encoding of the file.'
const plainText = 'Export the values as plain text, or type the value again.'

export const kindsInText: readonly DamageKind[] = [
  {
    rule: 'text',
    use: 'any',
    title: 'characters that stand for lost letters, or that cannot be stored',
    // NUL cannot be stored. U+FFFD and unpaired surrogates replace letters that were lost earlier, and JSON cannot
    // carry an unpaired surrogate.
    finds: ({ value }) => /[\0\uFFFD]/.test(value) || !value.isWellFormed(),
    wrong: 'which has characters that another program damaged',
    remedy: typeOrEncode,
    neverRests: true,
    evenInOptions: true,
    catches: ['M\uFFFDller', 'Ren\uFFFD', 'A\ud83d'],
    passes: ['Müller', 'René', '𠮷田'],
  },
  {
    rule: 'several_languages',
    use: 'any',
    title: 'the language tags of a Moodle site',
    finds: ({ value }) => /<span\b[^<>]*\bmultilang\b|<lang\b|\{\s*mlang\b/i.test(value),
    wrong: 'which is written in several languages, with the tags by which a Moodle site selects one of them',
    remedy:
      'Write the value in one language, or set a constant in `columns` ({ value: … }) instead of a name that the site translates.',
    evenInOptions: true,
    catches: ['{mlang de}Ärztin{mlang}', '<lang de>Ada', '<span class="multilang" lang="de">Ada</span>'],
    passes: ['mlang de', 'Lang', 'Language: de'],
  },
  {
    rule: 'control_character',
    use: 'any',
    title: 'several lines',
    finds: ({ value }) => /[\n\r]/.test(value),
    wrong: 'which has several lines',
    remedy: 'Write the value on one line, without tabs.',
    neverRests: true,
    evenInOptions: true,
    ofMany: 'contains a line break, a tab or a control character',
    catches: ['Ada\nLovelace', 'Ada\r\nLovelace', 'A\rB'],
    passes: ['Ada Lovelace', 'Ada / Lovelace', 'Ada, Lovelace'],
  },
  {
    rule: 'control_character',
    use: 'any',
    title: 'a tab',
    finds: ({ value }) => value.includes('\t'),
    wrong: 'which contains a tab',
    remedy: 'Replace the tab with a space.',
    neverRests: true,
    evenInOptions: true,
    catches: ['Ada\tLovelace', 'A\tB', '1\t2'],
    passes: ['Ada Lovelace', 'Ada  Lovelace', 'Ada\u00a0Lovelace'],
  },
  {
    rule: 'control_character',
    use: 'any',
    title: 'an invisible control character',
    // Most often the text was Windows-1252 and was read as Latin-1: a curly quote or a dash became U+0092 or U+0096.
    finds: ({ value }) => /\p{Cc}/u.test(value),
    wrong: 'which contains an invisible control character',
    remedy: typeOrEncode,
    neverRests: true,
    evenInOptions: true,
    catches: ['O\u0092Neill', 'Ada\u001b[31m', 'A\u0007da'],
    passes: ['O’Neill', 'Love\u00adlace', 'نیک\u200cنام'],
  },
  {
    rule: 'quotation_mark',
    use: 'any',
    title: 'quotation marks escaped with a backslash',
    finds: ({ value, use, fromColumn }) => use !== 'address' && fromColumn && value.includes('\\"'),
    wrong: 'which has quotation marks escaped with a backslash, as in program code',
    remedy: 'Remove the quotation marks, or use “ and ” instead.',
    evenInOptions: true,
    ofMany: 'has quotation marks that are not written correctly',
    catches: ['Ada \\"K\\"', '\\"Ada\\"', '"Ada \\"the first\\" K"'],
    passes: ['Ada “K”', 'Ada "K" Byron', '"Bo" and "Jo"'],
  },
  {
    rule: 'quotation_mark',
    use: 'any',
    title: 'quotation marks that are not doubled, in a CSV',
    // In a workbook, quotation marks are plain text.
    finds: ({ value, use, kind, fromColumn }) =>
      use !== 'address' && fromColumn && kind === undefined && isMisquoted(value),
    wrong: 'which has quotation marks that are not doubled, as a CSV file requires',
    remedy: 'Remove the quotation marks, or use “ and ” instead.',
    evenInOptions: true,
    catches: ['"Ada "the" K"', '"the "old" one"', '"15" pipe"'],
    passes: ['"Bo" Jensen', '"Bo" and "Jo"', '"Bo", "Jo" ("Al")'],
  },
  {
    rule: 'apostrophe',
    use: 'any',
    title: 'an apostrophe in front of = + - @',
    finds: ({ value }) => /^'+[=+\-@]/.test(value),
    wrong: 'which begins with an apostrophe that only keeps a spreadsheet from running the rest as a formula',
    remedy: 'Delete the apostrophe.',
    evenInOptions: true,
    catches: ["'+49 30 123456", "'=1", "''-17"],
    passes: ["'s Gravenhage", "O'Neil", '+49 30 123456'],
  },
  {
    rule: 'formula',
    use: 'any',
    title: 'a formula that was not calculated',
    finds: ({ value, fromColumn }) => fromColumn && isFormula(value),
    wrong: 'which is a formula that was not calculated',
    remedy: 'Replace the formula with its value: in a spreadsheet program, copy the column and paste the values only.',
    catches: ['=B2', '=VLOOKUP(A2,Sheet2!A:B,2,FALSE)', '=- B2'],
    passes: ['a=b', '=>', '-Ada'],
  },
  {
    rule: 'damaged_letters',
    use: 'any',
    title: 'letters that were read in a wrong encoding',
    finds: ({ value }) => isMisread(value),
    wrong: 'which has letters that another program damaged',
    remedy: 'Export the file again as UTF-8, or type the value again.',
    evenInOptions: true,
    catches: ['MÃ¼ller', 'J√ºrgen', 'J├╝rgen', 'JГјrgen', 'Oâ€™Neill', 'J眉rgen', 'РђРЅРЅР°'],
    passes: ['Müller', 'MÚŠEK', 'MALMÖ–LUND', 'Анна', '王芳'],
  },
  {
    rule: 'placeholder',
    use: 'any',
    title: 'a placeholder that was never filled in',
    finds: ({ value, use }) => use !== 'address' && isPlaceholder(value),
    wrong: 'which is a placeholder that was never filled in',
    remedy: 'Enter the value, or correct the export that should have filled it in.',
    catches: ['{{first_name}}', '@{name}', '%FIRST_NAME%', '<<name>>', '#{name}'],
    passes: ['{1, 2}', '100 %', '5 << 6', 'C#'],
  },
  {
    rule: 'markup',
    use: 'any',
    title: 'HTML, the code of web pages',
    finds: ({ value, use }) =>
      use !== 'address' && /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});|<(?:!--|!\[|\/?[a-z][^<>]*>)/i.test(value),
    wrong: 'which contains HTML, the code of web pages',
    remedy: plainText,
    catches: ['M&uuml;ller', 'O&#039;Brien', '<b>Ada</b>', 'Smith &amp; Sons', 'Ada<br>'],
    passes: ['AT&T', 'R&D', 'Smith & Sons', 'a < b', 'I <3 you'],
  },
  {
    rule: 'escaped',
    use: 'any',
    title: 'letters encoded for program code, a web address or an e-mail',
    finds: ({ value, use }) => use !== 'address' && isEscaped(value, use === 'name'),
    wrong: 'which has letters encoded for program code, a web address or an e-mail',
    remedy: plainText,
    catches: ['Jos\\u00e9', "O\\'Brien", 'Ada_x000D_', 'Jos%C3%A9', 'Jos=C3=A9', '=?UTF-8?Q?Jos=C3=A9?='],
    passes: ['100% cotton', 'https://example.org/Jos%C3%A9', 'a_x_b', 'C:\\Users'],
  },
  {
    rule: 'nothing',
    use: 'any',
    title: 'a program’s word for a missing value',
    finds: ({ value, use }) => use !== 'address' && isWordForNothing(value, use === 'name'),
    wrong: 'which is a program’s word for a missing value',
    remedy: 'Enter the value, or leave the cell empty.',
    catches: ['\\N', 'undefined undefined', '[object Object]', '(null)', 'nan', 'NULL'],
    passes: ['Null', 'Na', 'None', 'Nan', 'Undine'],
  },
]

const utf8InPercent = /%[c-f][\da-f]%[89ab][\da-f]/i

/** Finds letters encoded for program code, a web address or an e-mail. In a name, every backslash counts as one. */
function isEscaped(value: string, isName: boolean): boolean {
  if (/\\u\{?[\da-f]{4}|\\x[\da-f]{2}|\\'|_x[\da-f]{4}_|=[c-f][\da-f]=[89ab][\da-f]|=\?[\w-]+\?[bq]\?/i.test(value))
    return true
  if (utf8InPercent.test(value) && !value.includes('://')) return true
  return isName && /\\|%[\da-f]{2}|\p{L}''\p{L}/iu.test(value)
}

const placeholder =
  /\{\{[^{}]*\}\}|[$#@]\{[^{}]*\}|\{[a-z_]\w*\}|<<[^<>]*>>|<%.*%>|%\(\w+\)s|%[A-Z][A-Z_]+%|\[\[[^[\]]*\]\]/i

/** Finds a placeholder of a template that was never filled in. */
function isPlaceholder(value: string): boolean {
  return placeholder.test(value)
}

const words =
  /^(?:undefined|Undefined|UNDEFINED|null|NULL|nan|NaN|nil|\\N|\(null\)|<null>|\[null\]|<nil>|\(none\)|\[object \w+\]|<NA>)$/

/** Finds a value, or in a name also a word, that stands for a missing value. `Null` and `None` are names. */
function isWordForNothing(value: string, isName: boolean): boolean {
  if (/\[object \w+\]/.test(value) || words.test(value)) return true
  if (isName && /^n\/a$/i.test(value)) return true
  const parts = value.split(/\s+/)
  return (
    parts.length > 1 &&
    (parts.every((part) => words.test(part)) || (isName && /(?:^|\s)(?:undefined|null)(?:\s|$)/.test(value)))
  )
}

// These match a quotation mark before a word, and one after a word.
const opening = /^[\s(–—-]?"\S$/
const closing = /^\S"[\s,.;:!?)–—-]?$/

/**
 * Detects a quoted CSV cell that contains a quotation mark which is not doubled. Such a cell keeps all its marks, so
 * its first and last characters are marks that enclose others. `"Bo" Jensen` and `"Bo" and "Jo"` are correct values.
 */
function isMisquoted(value: string): boolean {
  if (!value.startsWith('"') || !value.endsWith('"') || !value.slice(1, -1).includes('"')) return false
  const marks = [...value.matchAll(/"/g)].map(({ index }) => index)
  return !marks.every((at, count) =>
    count % 2 === 0
      ? opening.test(value.slice(Math.max(0, at - 1), at + 2))
      : closing.test(value.slice(at - 1, at + 2)),
  )
}

const pairs =
  `"" '' ‘’ ’’ ‚‘ ‚’ “” ”” „“ „” «» »« ‹› ›‹ 「」 『』 《》 〈〉 \`\` ´´ \`´ \`' ** __ () [] {} （） 【】`.split(' ')

/** @returns true if one pair of marks encloses the whole value: 'Ada', „Ada“, (Ada); not “Bo” and “Jo” */
export function isEnclosed(value: string): boolean {
  return pairs.some(([first = '', last = '']) => {
    if (value.length < 2 || !value.startsWith(first) || !value.endsWith(last)) return false
    const inside = value.slice(1, -1)
    return !inside.includes(first) && !inside.includes(last)
  })
}
