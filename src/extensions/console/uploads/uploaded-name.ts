// The name of a file that a browser sends. It may be anything. Pure.

import { safeFileName } from '#src/issuing/results/outbox.ts'

/** Characters that break a line, control a terminal or change the direction of text. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const maxLength = 200

/** The name for people: without folders, and without what would mislead them. */
export function uploadedName(sent: string): string {
  const name = (sent.split(/[\\/]/).at(-1) ?? '').normalize('NFC').replace(misleading, '-').trim().toWellFormed()
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  const short = name.length > maxLength ? `${name.slice(0, maxLength - ending.length).toWellFormed()}${ending}` : name
  return /^\.*$/.test(short) ? 'list' : short
}

/** The name for the disk, which no folder and no other file can have. */
export function storedName(shown: string): string {
  const [ending = ''] = /\.[a-z0-9]{1,5}$/i.exec(shown) ?? []
  return `${safeFileName(shown)}${ending.toLowerCase()}`
}
