// How a pipeline's files are written, where they do not say it themselves and a guess would be wrong.

import { z } from 'zod'

const named: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

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
        'How the letters of a CSV are written, such as windows-1250. Left out, UTF-8 and UTF-16 are found out and Windows-1252 is guessed. A file with a byte order mark is read by its mark.',
      ),
    delimiter: z
      .string()
      // One UTF-16 unit, as the parser takes it. A quotation mark or a line end between cells would be read as what they are elsewhere.
      .regex(
        /^(comma|semicolon|tab|pipe|[^"\r\n])$/,
        'is not one character that may stand between cells; use comma, semicolon, tab, pipe or the character itself',
      )
      .transform((text) => named[text] ?? text)
      .optional()
      .describe(
        'What stands between the cells of a CSV: `comma`, `semicolon`, `tab`, `pipe`, or any one character. Left out, it is found out.',
      ),
    sheet: z
      .string()
      .min(1)
      .optional()
      .describe('The sheet of a workbook that is read, by its name. Left out, the first visible one.'),
  })
  .describe('How the files are written, where they do not say it themselves.')

/** Whether TextDecoder, by which files are read, knows the name. */
function isEncoding(label: string): boolean {
  try {
    // The one that gives every byte beyond ASCII a letter that nobody has.
    return new TextDecoder(label, { fatal: true }).encoding !== 'x-user-defined'
  } catch {
    return false
  }
}
