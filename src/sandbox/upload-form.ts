// The form of an upload: the fields of an invitation, and its file.

import { type RawForm, readForm } from './form.ts'
import type { Fields } from './read-body.ts'
import { Refusal } from './refusal.ts'

export interface UploadForm {
  /** The text fields; those that hold a list are read as JSON. */
  fields: Fields
  file: Buffer
}

const lists = ['signature', 'sponsor']
const texts = ['course_uuid', 'template_uuid', 'badge_template_uuid', 'custom_email_template_uuid']

/** @throws Refusal 400 for what is no form, holds no file, or holds something that is not documented: nothing is to be ignored in silence */
export async function readUploadForm(raw: RawForm): Promise<UploadForm> {
  const form = await readForm(raw)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form.texts) {
    if (name === 'file') throw bad('file is required, once, and must be a file')
    if (lists.includes(name)) fields[name] = jsonList(name, value)
    else if (texts.includes(name)) fields[name] = value
    else throw bad('the form holds a field that is not documented for the upload')
  }
  const file = form.files.get('file')
  if (!file) throw bad('file is required, once, and must be a file')
  if (form.files.size > 1) throw bad('the form holds a file that is not documented for the upload')
  return { fields, file }
}

/** The list that a form field holds as JSON text. @throws Refusal 400 naming the field */
export function jsonList(name: string, text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  throw bad(`${name} must be a JSON array as text`)
}

function bad(why: string): Refusal {
  return new Refusal(400, `Bad request: ${why}.`)
}
