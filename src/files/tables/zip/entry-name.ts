// Decodes the name of a file inside a ZIP, even if the program that wrote the ZIP did not declare the encoding. Pure.

import type { Entry } from 'yauzl'

const utf8Flag = 0x800
const unicodePathField = 0x7075
const beyondAscii = /[^\0-\x7f]/

/** The bytes of a name, as Latin-1, if its encoding is neither declared nor UTF-8: it is in the writer's code page. */
export function bytesOfName(entry: Entry): string | undefined {
  return isGuessed(entry) && readAsUtf8(entry) === undefined ? rawName(entry).toString('latin1') : undefined
}

/**
 * Returns the name that yauzl read, unless yauzl had to guess: macOS writes names in UTF-8 without declaring it, and
 * yauzl then decodes them as an old code page, so that `Müller.png` would never be found. Slashes and dots are the same
 * bytes in both encodings, so the returned path is as safe as the one that yauzl validated.
 */
export function readEntryName(entry: Entry): string {
  return (isGuessed(entry) ? readAsUtf8(entry) : undefined) ?? entry.fileName
}

function isGuessed(entry: Entry): boolean {
  const isDeclared =
    (entry.generalPurposeBitFlag & utf8Flag) !== 0 || entry.extraFields.some((field) => field.id === unicodePathField)
  return !isDeclared && beyondAscii.test(entry.fileName)
}

function readAsUtf8(entry: Entry): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(rawName(entry)).replaceAll('\\', '/')
  } catch {
    return undefined
  }
}

/** Missing from the types, which are for an older version. */
function rawName(entry: Entry): Buffer {
  return (entry as unknown as { fileNameRaw: Buffer }).fileNameRaw
}
