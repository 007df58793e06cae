// Mutants in src/lms/moodle that survive and do no harm.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const moodle: HarmlessByFile = {
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
