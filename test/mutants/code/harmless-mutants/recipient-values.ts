// Mutants in src/domain/recipient that survive and do no harm, in the values of a row.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const recipientValues: HarmlessByFile = {
  'src/domain/recipient/calendar-date.ts': [
    {
      line: "if (/[1-9]/.test(match[4] ?? '')) return { fault: 'time' }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/domain/recipient/cell-breach.ts': [
    {
      line: "if (!isShortened && (kind === undefined || kind === 'text')) return null",
      mutants: [
        ["!isShortened && (kind === undefined || kind === 'text')", 'false'],
        ["kind === undefined || kind === 'text'", "kind === undefined && kind === 'text'"],
        ['kind === undefined', 'false'],
        ["kind === 'text'", 'false'],
        ["'text'", '""'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "return [field.name, field.displayName, source.kind === 'column' ? source.column : '']",
      mutants: [["''", '"Stryker was here!"']],
      why: 'A constant has no title, and neither text is the name of an identifier.',
    },
  ],
  'src/domain/recipient/check-cell.ts': [
    {
      line: "if ('date' in reading || reading.fault !== 'shape' || /^y/i.test(declared.text.trim())) return reading",
      mutants: [
        ["'date' in reading || reading.fault !== 'shape'", 'false'],
        ["reading.fault !== 'shape'", 'false'],
      ],
      why: 'A text in the shape of a format that does not begin with the year is never one in ISO form.',
    },
    {
      line: "return 'fault' in iso && iso.fault === 'shape' ? reading : iso",
      mutants: [["'fault' in iso && iso.fault === 'shape'", 'false']],
      why: 'Both have the same fault.',
    },
  ],
  'src/domain/recipient/check-record.ts': [
    {
      line: 'return checkRow({ row: 0, cells: [] }, plan, rules)',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'Every source is a constant, so no cell is read.',
    },
  ],
  'src/domain/recipient/clean-text.ts': [
    {
      line: 'const beginsAndEndsPlainly = /^[!-~\\u00c0-\\u0250](?:.*[!-~\\u00c0-\\u0250])?$/s',
      mutants: [
        ['/^[!-~\\u00c0-\\u0250](?:.*[!-~\\u00c0-\\u0250])?$/s', '/^[!-~\\u00c0-\\u0250](?:.*[!-~\\u00c0-\\u0250])$/s'],
        ['/^[!-~\\u00c0-\\u0250](?:.*[!-~\\u00c0-\\u0250])?$/s', '/^[!-~\\u00c0-\\u0250](?:.[!-~\\u00c0-\\u0250])?$/s'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: 'if (beginsAndEndsPlainly.test(normal)) return normal',
      mutants: [['beginsAndEndsPlainly.test(normal)', 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: 'while (start < end && isUnseen(characterAt(normal, start))) start += characterAt(normal, start).length',
      mutants: [
        ['start < end', 'true'],
        ['start < end', 'start <= end'],
      ],
      why: 'After the end, the character is NUL, which is kept.',
    },
    {
      line: 'while (end > start) {',
      mutants: [['end > start', 'end >= start']],
      why: 'The result is empty in both cases.',
    },
    {
      line: 'return /^[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]$/.test(pair) ? pair : text.slice(end - 1, end)',
      mutants: [
        ['/^[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]$/', '/[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]$/'],
        ['/^[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]$/', '/^[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]/'],
      ],
      why: 'The text has at most two units.',
    },
  ],
  'src/domain/recipient/compile-rules.ts': [
    {
      line: 'if (limit === null || !(Math.abs(limit) > 1e11 && Math.abs(limit) <= 8.64e15)) return null',
      mutants: [['Math.abs(limit) <= 8.64e15', 'Math.abs(limit) < 8.64e15']],
      why: 'The year of the last possible time has more than four digits.',
    },
  ],
  'src/domain/recipient/date-format.ts': [
    {
      line: "const shape = new RegExp(`^${source}$`, 'u')",
      mutants: [["'u'", '""']],
      why: 'The pattern has only digits and literal text.',
    },
    {
      line: 'const number = (initial: string) => Number(match[parts.findIndex((part) => part.startsWith(initial)) + 1])',
      mutants: [['part.startsWith(initial)', 'part.endsWith(initial)']],
      why: 'The letters of a part are the same.',
    },
  ],
  'src/domain/recipient/digest-index.ts': [
    {
      line: 'if (this.#size * 3 > this.#capacity * 2) this.#grow()',
      mutants: [
        ['this.#size * 3 > this.#capacity * 2', 'this.#size * 3 >= this.#capacity * 2'],
        ['this.#capacity * 2', 'this.#capacity / 2'],
      ],
      why: 'Only grows earlier.',
    },
    {
      line: 'for (let at = 0; at < old.length; at += slotSize) {',
      mutants: [['at < old.length', 'at <= old.length']],
      why: 'There is nothing to move at the end.',
    },
    {
      line: 'if (old[at + 4] === 0) continue',
      mutants: [['old[at + 4] === 0', 'false']],
      why: 'Moves an empty slot to an empty slot.',
    },
  ],
  'src/domain/recipient/example-row.ts': [
    {
      line: "const cell = source.cells[fieldSource.index] ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither has the mark.',
    },
  ],
  'src/domain/recipient/mask-value.ts': [
    {
      line: "const [local = '', domain = ''] = address.split('@')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "return /^[\\p{C}\\p{Z}\\p{M}\\uFFFD]/u.test(first) ? '' : first",
      mutants: [['/^[\\p{C}\\p{Z}\\p{M}\\uFFFD]/u', '/[\\p{C}\\p{Z}\\p{M}\\uFFFD]/u']],
      why: 'The text is one character.',
    },
  ],
  'src/domain/recipient/spreadsheet-error-codes.ts': [
    {
      line: 'return value.length < maxNumberedLength && /[:：]\\s?5\\d\\d$/.test(value) && numbered.test(value)',
      mutants: [
        ['value.length < maxNumberedLength && /[:：]\\s?5\\d\\d$/.test(value)', 'true'],
        [
          'value.length < maxNumberedLength && /[:：]\\s?5\\d\\d$/.test(value)',
          'value.length < maxNumberedLength || /[:：]\\s?5\\d\\d$/.test(value)',
        ],
        ['value.length < maxNumberedLength', 'true'],
        ['value.length < maxNumberedLength', 'value.length <= maxNumberedLength'],
        ['/[:：]\\s?5\\d\\d$/', '/[:：]\\s?5\\d\\d/'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/domain/recipient/text-formula.ts': [
    {
      line: "if (!value.startsWith('=\"')) return value",
      mutants: [
        ["!value.startsWith('=\"')", 'false'],
        ["'=\"'", '""'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/domain/recipient/unique-within-file.ts': [
    {
      line: 'if (unique.length === 0) return []',
      mutants: [['unique.length === 0', 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: 'if (first.owner[0] !== owner[0] || first.owner[1] !== owner[1]) {',
      mutants: [
        [
          'first.owner[0] !== owner[0] || first.owner[1] !== owner[1]',
          'first.owner[0] !== owner[0] && first.owner[1] !== owner[1]',
        ],
        ['first.owner[0] !== owner[0]', 'false'],
        ['first.owner[1] !== owner[1]', 'false'],
      ],
      why: 'Two digests that share one half only by chance.',
    },
  ],
  'src/domain/recipient/unseen-marks.ts': [
    {
      line: 'last < from || to < first',
      mutants: [['last < from', 'last <= from']],
      why: 'No range begins where one that is taken out ends.',
    },
    {
      line: "`[${ranges.map(([first, last]) => (first === last ? written(first) : `${written(first)}-${written(last)}`)).join('')}]`",
      mutants: [['first === last', 'false']],
      why: 'A range of one character is the same class.',
    },
    {
      line: 'const isOrdinary = /^[\\0-\\u00ac\\u00ae-\\u034e]*$/',
      mutants: [['/^[\\0-\\u00ac\\u00ae-\\u034e]*$/', '/^[\\0-\\u00ac\\u00ae-\\u034e]$/']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "export const idleMarksInSql = characterClass(idle, (code) => `\\\\U${code.toString(16).padStart(8, '0')}`)",
      mutants: [
        ["`\\\\U${code.toString(16).padStart(8, '0')}`", '``'],
        ["'0'", '""'],
      ],
      why: 'A test with PostgreSQL notices it.',
    },
  ],
}
