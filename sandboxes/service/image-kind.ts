// Recognizes image types by their first bytes, because names and declared types may be wrong. Pure.

const marks = [
  { kind: 'png', contentType: 'image/png', mark: Buffer.from('89504e470d0a1a0a', 'hex') },
  { kind: 'jpg', contentType: 'image/jpeg', mark: Buffer.from('ffd8ff', 'hex') },
] as const

export type SandboxImageKind = Pick<(typeof marks)[number], 'kind' | 'contentType'>

/** Returns null for anything that is neither a PNG nor a JPEG. */
export function imageKind(bytes: Buffer): SandboxImageKind | null {
  return marks.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark)) ?? null
}
