// Which names of an inbox are files that were handed over: they fit the pattern, and are not what somebody is still writing. Pure.

import { matchesGlob } from 'node:path'

/** The folders that an inbox has for itself. */
export const subFolders = ['processing', 'done', 'refused', 'outbox'] as const

/** What browsers, editors, spreadsheets and copying programs call a file that is not finished. */
const unfinished = /^\.|^~\$|~$|\.(tmp|part|partial|crdownload|filepart|swp|lock)$/i

/** @param marker the ending of marker files, which are signs and never data; in small or capital letters */
export function isFittingName(name: string, pattern: string, marker: string | null): boolean {
  if (!isHandedOver(name, marker)) return false
  // A name typed on one system and listed on another may differ in case and in how its accents are written.
  const plain = (text: string) => text.normalize('NFC').toLowerCase()
  return matchesGlob(plain(name), plain(pattern))
}

/** Whether somebody means a file of that name to be taken, as far as its name tells. */
export function isHandedOver(name: string, marker: string | null): boolean {
  if (subFolders.some((folder) => folder === name) || unfinished.test(name)) return false
  return marker === null || !name.toLowerCase().endsWith(marker.toLowerCase())
}
