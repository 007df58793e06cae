// Mutants in src/domain/recipient that survive and do no harm, in the names of columns and fields, and what is said of them.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const recipientNames: HarmlessByFile = {
  'src/domain/recipient/date-or-time-column.ts': [
    {
      line: "return parts.some((word) => words.test(word)) || (parts.length > 1 && leadingWords.test(parts.at(-1) ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/domain/recipient/field-role.ts': [
    {
      line: 'if (roleByName.size < maxCached) roleByName.set(name, role)',
      mutants: [
        ['roleByName.size < maxCached', 'true'],
        ['roleByName.size < maxCached', 'false'],
        ['roleByName.size < maxCached', 'roleByName.size <= maxCached'],
        ['roleByName.size < maxCached', 'roleByName.size >= maxCached'],
      ],
      why: 'Only what is kept in memory.',
    },
  ],
  'src/domain/recipient/header-words.ts': [
    {
      line: '.split(/[^\\p{L}\\p{N}]+/u)',
      mutants: [['/[^\\p{L}\\p{N}]+/u', '/[^\\p{L}\\p{N}]/u']],
      why: 'Empty words are removed.',
    },
  ],
  'src/domain/recipient/identifier-column.ts': [
    {
      line: "if (parts.length > 1 && numberWords.test(parts.at(-1) ?? '')) return true",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const named = parts.flatMap((part, at) => (inNamesOfFigures.test(part) ? [parts[at + 1] ?? ''] : []))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a word for a number.',
    },
  ],
  'src/domain/recipient/image-column.ts': [
    {
      line: "const exact = found.filter((index) => meansImage.test(looseName(header[index] ?? '')))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/domain/recipient/loose-name.ts': [
    {
      line: ".replace(/[\\s_]+/gu, '')",
      mutants: [['/[\\s_]+/gu', '/[\\s_]/gu']],
      why: 'Removes one character at a time.',
    },
  ],
  'src/domain/recipient/match-by-name.ts': [
    {
      line: "if (title === '' || usedTitles.has(title)) return",
      mutants: [
        ["title === ''", 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'No field has an empty name.',
    },
    {
      line: "else matches.sources.set(field, { kind: 'column', index, column: titles[index] ?? '', date: null })",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "matches.faults.push({ kind: 'column_ambiguous', field: fields[0]?.displayName ?? '', sentence })",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/domain/recipient/nearest-name.ts': [
    {
      line: "if (wanted === '' || wanted.length > maxLength) return null",
      mutants: [
        ["wanted === ''", 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'An empty name differs in all letters.',
    },
    {
      line: "if (other === '' || other.length > maxLength) continue",
      mutants: [
        ["other === ''", 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'An empty name differs in all letters.',
    },
    {
      line: 'const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]',
      mutants: [['a.length < b.length', 'a.length <= b.length']],
      why: 'Both are equally long.',
    },
  ],
  'src/domain/recipient/remedy-of-rule.ts': [
    {
      line: "return origin === 'learning system' && damaged.includes(rule) ? (remedyOfRule(rule, '', origin) ?? remedy) : remedy",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The remedies of these rules name no field.',
    },
  ],
  'src/domain/recipient/source-template.ts': [
    {
      line: "typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],",
      mutants: [['[]', '["Stryker was here"]']],
      why: 'No field has this title.',
    },
  ],
}
