// Recognizes and compares UUIDs as people and services write them: in upper or lower case, and with any version and
// variant.

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Ignores surrounding spaces and the case of letters. */
export function sameUuid(one: string | null, other: string): boolean {
  return one?.trim().toLowerCase() === other.trim().toLowerCase()
}
