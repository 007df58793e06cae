// Recognizes image types by their first bytes, because names and declared types may be wrong. Pure.

const marks = { png: Buffer.from('89504e470d0a1a0a', 'hex'), jpg: Buffer.from('ffd8ff', 'hex') }

/** Returns undefined for anything that is neither a PNG nor a JPEG. */
export function imageKind(bytes: Buffer): string | undefined {
  return Object.entries(marks).find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0]
}
