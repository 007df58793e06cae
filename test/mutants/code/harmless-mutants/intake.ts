// Mutants in src/issuing/intake that survive and do no harm.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const intake: HarmlessByFile = {
  'src/issuing/intake/accepted-rows.ts': [
    {
      line: 'if (byte >= bits.length) {',
      mutants: [['byte >= bits.length', 'true']],
      why: 'The array only grows sooner than it must.',
    },
    {
      line: 'const longer = new Uint8Array(Math.max(byte + 1, bits.length * 2))',
      mutants: [['bits.length * 2', 'bits.length / 2']],
      why: 'The array grows in smaller steps, because the row itself is the other bound.',
    },
  ],
  'src/issuing/intake/dry-run.ts': [
    {
      line: "if (kind === 'new' && candidates.length < maxCandidates)",
      mutants: [
        ['candidates.length < maxCandidates', 'true'],
        ['candidates.length < maxCandidates', 'candidates.length <= maxCandidates'],
      ],
      why: 'Only limits memory: three of the candidates are shown.',
    },
  ],
  'src/issuing/intake/duplicate-person-check.ts': [
    {
      line: ": remedyOfRule('person_twice', '', origin)",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The advice for this rule does not name the field.',
    },
  ],
  'src/issuing/intake/file-check.ts': [
    {
      line: "if (!(error instanceof SourceError) || error.code !== 'sheet-missing' || options.sheet === undefined) throw error",
      mutants: [
        ["!(error instanceof SourceError) || error.code !== 'sheet-missing' || …", 'false'],
        [
          "!(error instanceof SourceError) || error.code !== 'sheet-missing' || …",
          "(!(error instanceof SourceError) || error.code !== 'sheet-missing') &…",
        ],
        ["!(error instanceof SourceError) || error.code !== 'sheet-missing'", 'false'],
        ["error.code !== 'sheet-missing'", 'false'],
        ['options.sheet === undefined', 'false'],
      ],
      why: 'The file is opened again without a sheet, which fails in the same way.',
    },
    {
      line: 'const source = await openSource(location, { ...options, sheet: undefined }).catch(() => null)',
      mutants: [['{ ...options, sheet: undefined }', '{}']],
      why: 'The other options are about CSV files, and only a workbook has sheets.',
    },
    {
      line: 'const source = await openSource(location, { ...options, sheet: undefined }).catch(() => null)',
      mutants: [['() => null', '() => undefined']],
      why: 'Both mean that there is no source.',
    },
    {
      line: 'return [...shared.values()].reduce((sum, values) => sum + values.size, 0)',
      mutants: [['sum + values.size', 'sum - values.size']],
      why: 'The sums are only compared with each other.',
    },
    {
      line: "if (format === 'xlsx' && !staged.violations) accepted.add(staged.row)",
      mutants: [["format === 'xlsx'", 'true']],
      why: 'Only a workbook has merged cells, for which these rows are remembered.',
    },
  ],
  'src/issuing/intake/first-row-hashes.ts': [
    {
      line: 'if (credential % blockRows === 0) this.#blocks.push(new Uint32Array(blockRows * this.#width))',
      mutants: [['credential % blockRows === 0', 'true']],
      why: 'Only takes more memory.',
    },
    {
      line: 'for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)',
      mutants: [['at < text.length', 'at <= text.length']],
      why: 'Every hash gets the same further step.',
    },
  ],
  'src/issuing/intake/image-check.ts': [
    {
      line: "const location = { row: source.row, column: header[column] ?? '', letters, field: '' }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const cellAt = (source: SourceRow, column: number) => textInFormula(source.cells[column]?.trim() ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "column: index === null ? null : (header[index] ?? ''),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "namesImage(header[unsentColumn] ?? '', cellAt(source, unsentColumn)),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const image = imageName === '' ? undefined : byName.get(foldName(baseName(imageName)))",
      mutants: [["imageName === ''", 'false']],
      why: 'No image has an empty name.',
    },
    {
      line: "const image = imageName === '' ? undefined : byName.get(foldName(baseName(imageName)))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "`More than one column may name the images: ${listColumns(found.map((index) => header[index] ?? ''))}. Set batch.imageColumn to the right one.`,",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/issuing/intake/people-in-file.ts': [
    {
      line: "const name = digestOf(foldedName(this.#nameFields.map((field) => recipient[field] ?? '')))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: 'if (later.length < 2) this.#laterRows.set(known.row, [...later, row])',
      mutants: [
        ['later.length < 2', 'true'],
        ['later.length < 2', 'later.length <= 2'],
      ],
      why: 'Only limits memory: the first three rows are shown.',
    },
    {
      line: 'if (known.owner[0] !== name[0] || known.owner[1] !== name[1]) this.#conflicting.add(known.row)',
      mutants: [
        [
          'known.owner[0] !== name[0] || known.owner[1] !== name[1]',
          'known.owner[0] !== name[0] && known.owner[1] !== name[1]',
        ],
        ['known.owner[0] !== name[0]', 'false'],
        ['known.owner[1] !== name[1]', 'false'],
      ],
      why: 'Different names differ in both halves of their digests, except once in four billion pairs.',
    },
  ],
  'src/issuing/intake/people-sample.ts': [
    {
      line: 'if (last && this.#rows.length >= this.#maxRows && last.issuanceKey.compare(row.issuanceKey) <= 0) return',
      mutants: [
        ['last && this.#rows.length >= this.#maxRows && last.issuanceKey.compar…', 'false'],
        ['this.#rows.length >= this.#maxRows', 'this.#rows.length > this.#maxRows'],
        ['last.issuanceKey.compare(row.issuanceKey) <= 0', 'last.issuanceKey.compare(row.issuanceKey) < 0'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/issuing/intake/problem-tally.ts': [
    {
      line: '(a.rule < b.rule ? -1 : Number(a.rule > b.rule)),',
      mutants: [
        ['a.rule < b.rule', 'a.rule <= b.rule'],
        ['a.rule > b.rule', 'true'],
        ['a.rule > b.rule', 'false'],
        ['a.rule > b.rule', 'a.rule >= b.rule'],
        ['a.rule > b.rule', 'a.rule <= b.rule'],
      ],
      why: 'Two kinds of one field never have the same rule, and sorting asks only whether the first comes before the second.',
    },
  ],
  'src/issuing/intake/propose-correction.ts': [
    {
      line: "const kinds = cells.map((cell) => (format === 'xlsx' && /^\\d{4}-\\d{2}-\\d{2}$/.test(cell) ? 'date' : 'text'))",
      mutants: [["'text'", '""']],
      why: 'Any kind but those with a meaning is text.',
    },
    {
      line: "const sentences = (staged.violations ?? []).map((each) => (each as { sentence?: string }).sentence ?? '')",
      mutants: [
        ['[]', '["Stryker was here"]'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "for (const [name, value] of Object.entries(values)) if (value !== '') filled[name] = value",
      mutants: [
        ["value !== ''", 'true'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'The check of the record leaves empty values out as well.',
    },
  ],
  'src/issuing/intake/row-check.ts': [
    {
      line: "const { pipeline, fields, header, course, hasher, format = 'csv' } = input",
      mutants: [["'csv'", '""']],
      why: 'Only the name of the other format has a meaning here.',
    },
  ],
  'src/issuing/intake/stage-in-background.ts': [
    {
      line: 'staging.catch(() => {})',
      mutants: [['staging.catch(() => {})', ';']],
      why: 'Vitest fails because of the unhandled rejection, which the run of mutants ignores.',
    },
  ],
  'src/issuing/intake/text-formulas.ts': [
    {
      line: "const cell = cells[index]?.trim() ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither text is a formula.',
    },
    {
      line: "if (cell.startsWith('=\"') && textInFormula(cell) !== cell) counts.set(column, (counts.get(column) ?? 0) + 1)",
      mutants: [["'=\"'", '""']],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/issuing/intake/unchecked-rule-notices.ts': [
    {
      line: "const filled = new Set(plan.flatMap(({ field, source }) => (source.kind === 'column' ? [field.displayName] : [])))",
      mutants: [['[]', '["Stryker was here"]']],
      why: 'No field has that name.',
    },
  ],
}
