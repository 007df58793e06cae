// What kind of image some bytes are, by their first ones: names and declared types prove nothing.

const marks = [
  { kind: 'png', contentType: 'image/png', mark: Buffer.from('89504e470d0a1a0a', 'hex') },
  { kind: 'jpg', contentType: 'image/jpeg', mark: Buffer.from('ffd8ff', 'hex') },
] as const

export type ImageKind = Pick<(typeof marks)[number], 'kind' | 'contentType'>

/** Null for what is neither a PNG nor a JPEG. */
export function imageKind(bytes: Buffer): ImageKind | null {
  return marks.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark)) ?? null
}
