// Forms with files: the other body that an endpoint may be sent, taken apart into texts and files.

import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { Refusal } from './refusal.ts'

/** A form as it came, not read yet: that takes a moment, and few endpoints know forms. */
export class RawForm {
  readonly bytes: Buffer
  readonly contentType: string

  constructor(bytes: Buffer, contentType: string) {
    this.bytes = bytes
    this.contentType = contentType
  }
}

/** Every name that came, with its text or the bytes of its file. */
export interface Form {
  texts: ReadonlyMap<string, string>
  files: ReadonlyMap<string, Buffer>
}

export const formType = /^multipart\/form-data\b/i

// The largest form that is documented has 43 parts, two of them files. How large the whole may be is a setting.
const limits = { parts: 64, fields: 60, files: 4, fieldSize: 256 * 1024, headerPairs: 20, headerSize: 8 * 1024 }

/** @throws Refusal 400 for what is no form, or has a name twice; 413 for more or larger parts than the sandbox takes */
export async function readForm({ bytes, contentType }: RawForm): Promise<Form> {
  const texts = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const faults: Refusal[] = []
  const fault = (refusal: Refusal) => faults.push(refusal)
  // Nothing is to be ignored in silence, and of two values under one name one would be.
  const isNew = (name: string) =>
    (!texts.has(name) && !files.has(name)) || !fault(bad(`the form has the field ${plain(name)} twice`))
  try {
    await parsed(bytes, contentType, {
      text(name, value, cut) {
        if (cut) fault(new Refusal(413, `Request entity too large: ${plain(name)} is too long.`))
        if (isNew(name)) texts.set(name, value)
      },
      file: (name, content) => isNew(name) && files.set(name, content),
      tooMany: () => fault(new Refusal(413, 'Request entity too large: the form has too many parts.')),
    })
  } catch {
    throw bad('the body is not a form')
  }
  if (faults[0]) throw faults[0]
  return { texts, files }
}

interface Parts {
  text(name: string, value: string, cut: boolean): void
  file(name: string, content: Buffer): void
  tooMany(): void
}

function parsed(bytes: Buffer, contentType: string, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    // Thrown for a type without a boundary.
    const busboy = new Busboy({ headers: { 'content-type': contentType } as BusboyHeaders, limits })
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) busboy.on(limit, () => parts.tooMany())
    busboy.on('field', (name, value, _nameCut, valueCut) => parts.text(name, value, valueCut))
    busboy.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => parts.file(name, Buffer.concat(chunks)))
    })
    busboy.on('error', reject)
    busboy.on('finish', resolve)
    busboy.end(bytes)
  })
}

/** A name fit for a message: what was sent never comes back as it was. */
function plain(name: string): string {
  return /^\w{1,60}$/.test(name) ? name : 'of an unknown name'
}

function bad(why: string): Refusal {
  return new Refusal(400, `Bad request: ${why}.`)
}
