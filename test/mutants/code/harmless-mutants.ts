// The mutants that survive and do no harm, each with the reason. A mutant is named by its code, so that its entry moves
// with it; a test fails if the line of an entry is no longer in its file. The score counts these mutants as survivors.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

export interface HarmlessMutants {
  /** The line on which the mutated code begins, without the spaces around it. */
  line: string
  /** The code and what it becomes, as the report shows them. */
  mutants: readonly (readonly [code: string, becomes: string])[]
  /** Why nobody would notice. */
  why: string
}

/** By file. */
export const harmlessMutants: Readonly<Record<string, readonly HarmlessMutants[]>> = {
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
      line: "const unsentColumns = batch.mode === 'upload' && index === null ? imageColumnsOutsidePlan(header, plan) : []",
      mutants: [['index === null', 'true']],
      why: 'A shortcut: what follows gives the same result.',
    },
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
  'src/issuing/results/run-summary.ts': [
    {
      line: "run: Pick<Run, 'lastList' | 'sourcePath'> = { lastList: null, sourcePath: '' },",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is the path of completions.',
    },
  ],
  'src/platform/limits/bottleneck-gate.ts': [
    {
      line: 'if (rest > 0 && pausedUntil > giveUpAt) throw new GateShutError(name, rest)',
      mutants: [['rest > 0', 'rest >= 0']],
      why: 'The work could not have waited any longer anyway.',
    },
    {
      line: 'limiter.stop({ dropWaitingJobs: true }).catch(() => {})',
      mutants: [['{ dropWaitingJobs: true }', '{}']],
      why: 'It is the default of the library.',
    },
  ],
  'src/platform/limits/local-slots.ts': [
    {
      line: 'const spacingMs = (1_000 + marginMs) / limit',
      mutants: [['(1_000 + marginMs) / limit', '(1_000 + marginMs) * limit']],
      why: 'Until these sends would count no more, the due time alone decides.',
    },
    {
      line: 'let pace: Pace = { log: Array.from({ length: limit }, (_, i) => opened - (limit - 1 - i) * spacingMs), due: opened }',
      mutants: [
        ['limit - 1 - i', 'limit - 1 + i'],
        ['limit - 1', 'limit + 1'],
      ],
      why: 'Until these sends would count no more, the due time alone decides.',
    },
    {
      line: 'pace = { log: [...pace.log.slice(1), now], due }',
      mutants: [['pace.log.slice(1)', 'pace.log']],
      why: 'It changes no send: it takes more memory with each, which no test measures.',
    },
  ],
  'src/platform/limits/pace.ts': [
    {
      line: 'const oldest = log.length >= limit ? log[log.length - limit] : undefined',
      mutants: [['log.length >= limit', 'true']],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/platform/limits/pauses.ts': [
    {
      line: 'const length = before && before.since <= now ? before.until - before.since : 0',
      mutants: [['before.since <= now', 'before.since < now']],
      why: 'A pause that begins now and is over has no length.',
    },
    {
      line: 'const followsSoon = before !== null && length > 0 && now - before.until < Math.max(soonMs, length)',
      mutants: [
        ['length > 0', 'true'],
        ['length > 0', 'length >= 0'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/platform/limits/remote-clock.ts': [
    {
      line: 'const agrees = Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roundingMs',
      mutants: [
        [
          'Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roun…',
          'Math.abs(offset - known.offset) < doubt + doubtMs(answeredMs) + round…',
        ],
      ],
      why: 'The two never agree to the last digit.',
    },
    {
      line: 'if (!agrees || doubt <= doubtMs(answeredMs)) known = { offset, doubt, at: answeredMs }',
      mutants: [['doubt <= doubtMs(answeredMs)', 'doubt < doubtMs(answeredMs)']],
      why: 'Two measurements of the same precision are equally good.',
    },
  ],
  'src/platform/limits/slot-names.ts': [
    {
      line: "const scope = gate === 'auth' ? [origin, 'auth'] : [origin, key.reveal(), 'endpoint', gate]",
      mutants: [
        ["'auth'", '""'],
        ["'endpoint'", '""'],
      ],
      why: 'A part of a name that only has to differ from the others.',
    },
    {
      line: ".update(JSON.stringify(['credsync slots', ...scope]))",
      mutants: [["'credsync slots'", '""']],
      why: 'A part of a name that only has to differ from the others.',
    },
  ],
  'src/platform/limits/waiters.ts': [
    {
      line: "signal?.addEventListener('abort', onAbort, { once: true })",
      mutants: [
        ['{ once: true }', '{}'],
        ['true', 'false'],
      ],
      why: 'The listener is removed when the waiter leaves.',
    },
  ],
  'src/lms/moodle/assignment.ts': [
    {
      line: "return { id, feedback: item?.feedback ?? '' }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: 'return ownGrade !== undefined && Math.abs(Number(ownGrade.grade) - grade) < gradeTolerance',
      mutants: [
        [
          'Math.abs(Number(ownGrade.grade) - grade) < gradeTolerance',
          'Math.abs(Number(ownGrade.grade) - grade) <= gradeTolerance',
        ],
      ],
      why: 'No grade differs by exactly that much.',
    },
  ],
  'src/lms/moodle/course.ts': [
    {
      line: "const shown = collapseWhiteSpace(decodeEntities(found.find((entry) => entry.id === id)?.fullname ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'No course of several languages is called that.',
    },
  ],
  'src/lms/moodle/html.ts': [
    {
      line: "return new Html(strings.reduce((markup, part, i) => `${markup}${escapeText(values[i - 1] ?? '')}${part}`))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "decodeEntities(match[1] ?? match[2] ?? ''),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/moodle/multilang.ts': [
    {
      line: 'if (!isMultilingual(text)) return text',
      mutants: [['!isMultilingual(text)', 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "(found) => (found[1] ?? found[2] ?? '').split(',').map(languageCode),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "mark.startsWith('</') ? null : [languageCode(/lang=\"([^\"]*)\"/i.exec(mark)?.[1] ?? '')],",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const texts = new Map(group.map(({ languages: [language = ''], inner }) => [language, inner]))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const chosen = accepted.find((each) => texts.has(each)) ?? [...texts.keys()][0] ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "return { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0, by: texts.get(chosen) ?? '' }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/moodle/profile.ts': [
    {
      line: "const customfields = fields.map((shortname) => ({ type: shortname, value: values[shortname] ?? '' }))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: 'return shown !== wanted && decodeEntities(shown) !== wanted',
      mutants: [['shown !== wanted', 'true']],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
  'src/lms/moodle/read-response.ts': [
    {
      line: "return 'errorcode' in value && typeof value.errorcode === 'string' ? value.errorcode : ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'A code that is missing and one that is unknown are both unnamed.',
    },
  ],
  'src/lms/moodle/report-columns.ts': [
    {
      line: 'const matched: MatchedRow[] = rowsOfCourse(rows, names)',
      mutants: [
        [
          'rowsOfCourse(rows, names) .map((row) => ({ row, people: [...new Set(r…',
          'rowsOfCourse(rows, names).map(row => ({ row, people: [...new Set(row.…',
        ],
      ],
      why: 'A row without a learner shows no progress of anyone.',
    },
    {
      line: '.filter(({ people }) => people.length > 0)',
      mutants: [
        ['people.length > 0', 'true'],
        ['people.length > 0', 'people.length >= 0'],
      ],
      why: 'A row without a learner shows no progress of anyone.',
    },
    {
      line: "return cell !== '' && !names.has(cell) && !values.every((value) => value.has(cell))",
      mutants: [
        ["cell !== ''", 'true'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "const [first, last] = [firstname ?? '', lastname ?? '']",
      mutants: [
        ["''", '"Stryker was here!"'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'No cell is compared with the name of a learner who has none.',
    },
    {
      line: "return (text ?? '').replace(/\\s+/g, ' ').trim().normalize('NFC').toLowerCase()",
      mutants: [
        [
          "(text ?? '').replace(/\\s+/g, ' ').trim().normalize('NFC').toLowerCase…",
          "(text ?? '').replace(/\\s+/g, ' ').trim().normalize('NFC').toUpperCase…",
        ],
        ["' '", '""'],
      ],
      why: 'All sides of every comparison are changed in the same way.',
    },
  ],
}
