// The settings for reading a pipeline's files: details that the files do not state, and that are not guessed or might
// be detected wrongly. Also the setting for how long files are kept.

import { z } from 'zod'

/**
 * The setting for how long files are kept.
 * @param what the files, for the description
 */
export function keepDays(what: string) {
  return z.int().min(1).max(36_500).optional().describe(`After how many days ${what} Default: they are kept for ever.`)
}

const delimiterNames: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

export const readingSchema = z
  .strictObject({
    encoding: z
      .string()
      .refine(
        isEncoding,
        'is not the name of an encoding; use utf-8, windows-1252, windows-1250 or another standard name',
      )
      .optional()
      .describe(
        'The character encoding of a CSV, such as windows-1250. If omitted, only UTF-8 and UTF-16 are read, and anything else is refused. A byte order mark in the file takes precedence.',
      ),
    delimiter: z
      .string()
      // One UTF-16 unit, as the parser expects. A quotation mark or a line end has another meaning in a CSV.
      .regex(
        /^(comma|semicolon|tab|pipe|[^"\r\n])$/,
        'is not one character that can separate cells; use comma, semicolon, tab, pipe or the character itself',
      )
      .transform((text) => delimiterNames[text] ?? text)
      .optional()
      .describe(
        'The character between the cells of a CSV: `comma`, `semicolon`, `tab`, `pipe`, or any one character. If omitted, it is detected.',
      ),
    sheet: z
      .string()
      .min(1)
      .optional()
      .describe('The name of the sheet to read in a workbook. If omitted, the first visible sheet is read.'),
  })
  .describe('How to read the files, for details that the files do not state.')

/** Returns true if TextDecoder, which decodes the files, supports the encoding. */
function isEncoding(label: string): boolean {
  try {
    // Excludes the encoding that maps every byte beyond ASCII to a private character.
    return new TextDecoder(label, { fatal: true }).encoding !== 'x-user-defined'
  } catch {
    return false
  }
}

export const filesSchema = z
  .strictObject({
    keepDays: keepDays(
      'the files of a run are removed: its results, invalid rows and summary in the outbox, and its source file in the folders `done` and `refused` of an inbox. Counted from when the run ended, or its results were last written; for a file that was refused before it had a run, from when it was taken. A file whose run still waits for something is never removed.',
    ),
  })
  .prefault({})
  .describe('The files in outboxes and inboxes.')
