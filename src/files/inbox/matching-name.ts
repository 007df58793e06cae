// Decides by the name of a file in an inbox whether it may be taken: it matches the pattern, and is not still being
// written. Pure.

import { matchesGlob } from 'node:path'

/** The sub-folders of an inbox that belong to the worker. */
export const subFolders = ['processing', 'done', 'refused', 'outbox'] as const

/** Names that browsers, editors, spreadsheets and copying programs give to unfinished files. */
const unfinished = /^\.|^~\$|~$|\.(tmp|part|partial|crdownload|filepart|swp|lock)$/i

/** @param marker the extension of marker files, which only announce a file and contain no data; case is ignored */
export function isMatchingName(name: string, pattern: string, marker: string | null): boolean {
  if (!isHandedOver(name, marker)) return false
  // A name typed on one system and listed on another may differ in case and in the encoding of accents.
  const normalized = (text: string) => text.normalize('NFC').toLowerCase()
  return matchesGlob(normalized(name), normalized(pattern))
}

/** Returns false for names that are never meant to be taken: the worker's folders, unfinished files and markers. */
export function isHandedOver(name: string, marker: string | null): boolean {
  if (subFolders.some((folder) => folder === name) || unfinished.test(name)) return false
  return marker === null || !name.toLowerCase().endsWith(marker.toLowerCase())
}
