// Forms with a file: the other body that an endpoint may be sent.

import type { Fields } from './read-body.ts'
import { Refusal } from './refusal.ts'

/** A form as it came, not read yet: that takes a moment, and only one endpoint knows forms. */
export class RawForm {
  readonly bytes: Buffer
  readonly contentType: string

  constructor(bytes: Buffer, contentType: string) {
    this.bytes = bytes
    this.contentType = contentType
  }
}

export interface Form {
  /** The text fields; those that hold a list are read as JSON. */
  fields: Fields
  file: Buffer
}

export const formType = /^multipart\/form-data\b/i
const lists = ['signature', 'sponsor']
const texts = ['course_uuid', 'template_uuid', 'badge_template_uuid', 'custom_email_template_uuid']

/** @throws Refusal 400 for what is no form, holds no file, or holds something that is not documented: nothing is to be ignored in silence */
export async function readForm(raw: RawForm): Promise<Form> {
  const form = await parse(raw)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (name === 'file') continue
    if (typeof value !== 'string' || form.getAll(name).length > 1) throw bad(`the field ${name} must be one text`)
    if (lists.includes(name)) fields[name] = listIn(name, value)
    else if (texts.includes(name)) fields[name] = value
    else throw bad('the form holds a field that is not documented for the upload')
  }
  const file = form.get('file')
  if (!(file instanceof File) || form.getAll('file').length > 1) throw bad('file is required, once, and must be a file')
  return { fields, file: Buffer.from(await file.arrayBuffer()) }
}

async function parse({ bytes, contentType }: RawForm): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw bad('the body is not a form')
  }
}

function listIn(name: string, text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  throw bad(`${name} must be a JSON array as text`)
}

function bad(why: string): Refusal {
  return new Refusal(400, `Bad request: ${why}.`)
}
