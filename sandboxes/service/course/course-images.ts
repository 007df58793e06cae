// The images of courses: recognizes them by their content, and names them by their hash. Pure.

import { hash } from 'node:crypto'
import { imageKind } from '#sandboxes/service/image-kind.ts'
import { invalidField } from './field-readers.ts'

/**
 * Returns the path of the image in a field of a form; null if there is none, or only an empty file, which browsers
 * send.
 * @throws SandboxRefusal 400
 */
export function imageIn(files: ReadonlyMap<string, Buffer>, field: string): string | null {
  const bytes = files.get(field)
  if (!bytes || bytes.length === 0) return null
  const kind = imageKind(bytes)
  if (!kind) throw invalidField(field, 'must be a jpg, jpeg or png image')
  return `${hash('sha256', bytes).slice(0, 32)}.${kind}`
}
