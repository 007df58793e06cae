// Decodes the name of a file inside a ZIP, even if the program that wrote the ZIP did not declare the encoding. Pure.

import type { Entry } from 'yauzl'

const utf8Flag = 0x800
const unicodePathField = 0x7075
const beyondAscii = /[^\0-\x7f]/

/**
 * Returns the name that yauzl read, unless yauzl had to guess: macOS writes names in UTF-8 without declaring it, and
 * yauzl then decodes them as an old code page, so that `Müller.png` would never be found. Slashes and dots are the same
 * bytes in both encodings, so the returned path is as safe as the one that yauzl validated.
 */
export function readEntryName(entry: Entry): string {
  // The field is missing from the types, which are for an older version.
  const { fileNameRaw: raw } = entry as unknown as { fileNameRaw: Buffer }
  const guessed =
    (entry.generalPurposeBitFlag & utf8Flag) === 0 && !entry.extraFields.some((field) => field.id === unicodePathField)
  if (!guessed || !beyondAscii.test(entry.fileName)) return entry.fileName
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw).replaceAll('\\', '/')
  } catch {
    return entry.fileName
  }
}
