// Builds the name of a taken file from the time, eight random characters and its original name. Therefore names never
// collide in processing, done or refused, even if the same name arrives every night. Pure.

import { cutToBytes, harmlessName } from '#src/platform/text.ts'

const takenNamePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.([0-9a-f]{8})\.(.+)$/s
const timePattern = /^(.{10}T\d\d)-(\d\d)-(\d\d)Z/

/** File systems allow 255 bytes. The prefix takes 30 of them, and an extension such as .reason.txt may follow. */
const maxBytes = 200

/**
 * Returns the name of a taken file. If the name already has a prefix, because the file was taken before, the new prefix
 * replaces it.
 * @param id eight random hexadecimal digits
 */
export function takenName(name: string, at: Date, id: string): string {
  const second = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  return `${second}.${id}.${shortened(harmlessName(originalName(name) ?? name))}`
}

/** @returns the name that the file had in the inbox, or null if `taken` is not the name of a taken file */
export function originalName(taken: string): string | null {
  return takenNamePattern.exec(taken)?.[2] ?? null
}

/**
 * @returns the eight random characters in the name of a taken file; null for any other name. The id of its run begins
 * with them, so that the file and its results have matching names
 */
export function takenFileId(taken: string): string | null {
  return takenNamePattern.exec(taken)?.[1] ?? null
}

/** @returns when the file was taken; null if that is not the name of a taken file, or has no such time */
export function takenAt(taken: string): Date | null {
  const [, hour, minute, second] = takenFileId(taken) === null ? [] : (timePattern.exec(taken) ?? [])
  const at = new Date(`${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Shortens the name but keeps its extension, which shows the file's type. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  return cutToBytes(name, maxBytes - Buffer.byteLength(ending)) + ending
}
