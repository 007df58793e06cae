// Parses multipart forms into strings and files. Pure.

import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { SandboxRefusal } from './refusal.ts'

/** An unparsed form. Only the few endpoints that accept forms parse it, because that takes time. */
export class RawForm {
  readonly bytes: Buffer
  readonly contentType: string

  constructor(bytes: Buffer, contentType: string) {
    this.bytes = bytes
    this.contentType = contentType
  }
}

/** Every submitted name with its text, or with the bytes of its file. */
export interface Form {
  texts: ReadonlyMap<string, string>
  files: ReadonlyMap<string, Buffer>
}

export const formType = /^multipart\/form-data\b/i

// The largest documented form has 43 parts, two of them files. The total size is limited by a setting.
const limits = { parts: 64, fields: 60, files: 4, fieldSize: 256 * 1024, headerPairs: 20, headerSize: 8 * 1024 }

/**
 * @throws SandboxRefusal 400 if the body is not a form or has a name twice; 413 for more or larger parts than the
 * sandbox accepts
 */
export async function readForm({ bytes, contentType }: RawForm): Promise<Form> {
  const texts = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const faults: SandboxRefusal[] = []
  const fault = (refusal: SandboxRefusal) => faults.push(refusal)
  // A repeated name is refused, because one of the two values would be silently ignored.
  const isNew = (name: string) =>
    (!texts.has(name) && !files.has(name)) || !fault(badRequest(`the form has the field ${safeName(name)} twice`))
  try {
    await parseParts(bytes, contentType, {
      text(name, value, cut) {
        if (cut) fault(new SandboxRefusal(413, `Request entity too large: the field ${safeName(name)} is too long.`))
        if (isNew(name)) texts.set(name, value)
      },
      file: (name, content) => isNew(name) && files.set(name, content),
      tooMany: () => fault(new SandboxRefusal(413, 'Request entity too large: the form has too many parts.')),
    })
  } catch {
    throw badRequest('the body is not a form')
  }
  if (faults[0]) throw faults[0]
  return { texts, files }
}

interface Parts {
  text(name: string, value: string, cut: boolean): void
  file(name: string, content: Buffer): void
  tooMany(): void
}

function parseParts(bytes: Buffer, contentType: string, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    // Throws for a type without a boundary.
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

/** Returns a name that is safe in a message, because submitted text is never returned unchanged. */
function safeName(name: string): string {
  return /^\w{1,60}$/.test(name) ? name : 'of an unknown name'
}

function badRequest(why: string): SandboxRefusal {
  return new SandboxRefusal(400, `Bad request: ${why}.`)
}
