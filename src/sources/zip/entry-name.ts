// The name of a file inside a ZIP, also when its writer did not say how the name's letters are written.

import type { Entry } from 'yauzl'

const saysUtf8 = 0x800
const unicodePath = 0x7075
const beyondAscii = /[^\0-\x7f]/

/**
 * The name that yauzl read, unless it had to guess: macOS packs names as UTF-8 without saying so, and yauzl then takes
 * them for an old code page, so that `Müller.png` would never be found. Slashes and dots are the same bytes in both, so
 * the path that yauzl judged is the one that is given back.
 */
export function readEntryName(entry: Entry): string {
  // Missing from the types, which are those of an older edition.
  const { fileNameRaw: raw } = entry as unknown as { fileNameRaw: Buffer }
  const guessed =
    (entry.generalPurposeBitFlag & saysUtf8) === 0 && !entry.extraFields.some((field) => field.id === unicodePath)
  if (!guessed || !beyondAscii.test(entry.fileName)) return entry.fileName
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw).replaceAll('\\', '/')
  } catch {
    return entry.fileName
  }
}
