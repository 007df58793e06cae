// Encodes a form with files as multipart/form-data: the same fields always give the same bytes. Pure.

import { createHash } from 'node:crypto'
import type { BytesBody } from './exchange.ts'

export interface FormFile {
  /** Only letters, digits, dots and hyphens, because the name is written into a header. */
  name: string
  bytes: Buffer
  contentType: string
}

/** A field's name and its text or file. Names come from the documentation, never from data. */
export type FormPart = readonly [name: string, value: string | FormFile]

const lineEnd = '\r\n'

/** Writes multipart/form-data in the order of `parts`. */
export function formBody(parts: readonly FormPart[]): BytesBody {
  const encoded = parts.map(([name, value]) => encodePart(name, value))
  // The boundary is a hash of the content: the same for the same request, and it cannot occur in the content itself.
  const boundary = `credsync-${sha256Of(...encoded).slice(0, 40)}`
  const divider = Buffer.from(`--${boundary}${lineEnd}`)
  const bytes = Buffer.concat([...encoded.flatMap((each) => [divider, each]), Buffer.from(`--${boundary}--${lineEnd}`)])
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` }
}

function encodePart(name: string, value: string | FormFile): Buffer {
  const file = typeof value === 'string' ? null : value
  const parameters = file ? `name="${name}"; filename="${file.name}"` : `name="${name}"`
  const head = [`Content-Disposition: form-data; ${parameters}`, ...(file ? [`Content-Type: ${file.contentType}`] : [])]
  const content = file ? file.bytes : Buffer.from(value as string)
  return Buffer.concat([Buffer.from([...head, '', ''].join(lineEnd)), content, Buffer.from(lineEnd)])
}

/** SHA-256 of the concatenated pieces, in hex. */
export function sha256Of(...pieces: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
