// Parses multipart forms into strings and files. Pure.

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

/** @throws SandboxRefusal 400 if the body is not a form or has a name twice */
export async function readForm({ bytes, contentType }: RawForm): Promise<Form> {
  const texts = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const body = new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } })
  const parts = await body.formData().catch(() => {
    throw badRequest('the body is not a form')
  })
  for (const [name, value] of parts) {
    // A repeated name is refused, because one of the two values would be silently ignored.
    if (texts.has(name) || files.has(name)) throw badRequest(`the form has the field ${safeName(name)} twice`)
    if (typeof value === 'string') texts.set(name, value)
    else files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return { texts, files }
}

/** Returns a name that is safe in a message, because submitted text is never returned unchanged. */
function safeName(name: string): string {
  return /^\w{1,60}$/.test(name) ? name : 'of an unknown name'
}

function badRequest(why: string): SandboxRefusal {
  return new SandboxRefusal(400, `Bad request: ${why}.`)
}
