// A form with files as bytes, made once and before the send: the same fields give the same bytes.

import { createHash } from 'node:crypto'
import type { BytesBody } from './exchange.ts'

export interface FormFile {
  /** Letters, digits, dots and hyphens: it stands in a header. */
  name: string
  bytes: Buffer
  contentType: string
}

/** A field's name and its text, or its file. Names are ours, from the documentation, never from data. */
export type FormPart = readonly [name: string, value: string | FormFile]

const lineEnd = '\r\n'

/** Writes multipart/form-data in the order of `parts`. */
export function formBody(parts: readonly FormPart[]): BytesBody {
  const written = parts.map(([name, value]) => part(name, value))
  // Of the content, so that it is the same for the same request, and cannot occur in what it divides.
  const boundary = `credsync-${sha256Of(...written).slice(0, 40)}`
  const divider = Buffer.from(`--${boundary}${lineEnd}`)
  const bytes = Buffer.concat([...written.flatMap((each) => [divider, each]), Buffer.from(`--${boundary}--${lineEnd}`)])
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` }
}

function part(name: string, value: string | FormFile): Buffer {
  const file = typeof value === 'string' ? null : value
  const named = file ? `name="${name}"; filename="${file.name}"` : `name="${name}"`
  const head = [`Content-Disposition: form-data; ${named}`, ...(file ? [`Content-Type: ${file.contentType}`] : [])]
  const content = file ? file.bytes : Buffer.from(value as string)
  return Buffer.concat([Buffer.from([...head, '', ''].join(lineEnd)), content, Buffer.from(lineEnd)])
}

/** SHA-256 of the pieces one after another, in hex. */
export function sha256Of(...pieces: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
