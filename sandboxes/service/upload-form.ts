// Parses the form of an upload: the fields of an invitation, and its file. Pure.

import { type RawForm, readForm } from './form.ts'
import type { Fields } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'

export interface UploadForm {
  /** The text fields; fields with a list are parsed as JSON. */
  fields: Fields
  file: Buffer
}

const lists = ['signature', 'sponsor']
const textFields = ['course_uuid', 'template_uuid', 'badge_template_uuid', 'custom_email_template_uuid']

/**
 * @throws SandboxRefusal 400 if it is not a form, has no file, or has undocumented parts, which must not be silently
 * ignored
 */
export async function readUploadForm(raw: RawForm): Promise<UploadForm> {
  const form = await readForm(raw)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form.texts) {
    if (name === 'file') throw bad('file is required, once, and must be a file')
    if (lists.includes(name)) fields[name] = jsonList(name, value)
    else if (textFields.includes(name)) fields[name] = value
    else throw bad('the form holds a field that is not documented for the upload')
  }
  const file = form.files.get('file')
  if (!file) throw bad('file is required, once, and must be a file')
  if (form.files.size > 1) throw bad('the form holds a file that is not documented for the upload')
  return { fields, file }
}

/**
 * Parses the list in a form field, which is JSON text.
 * @throws SandboxRefusal 400 naming the field
 */
export function jsonList(name: string, text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  throw bad(`${name} must be a JSON array as text`)
}

function bad(why: string): SandboxRefusal {
  return new SandboxRefusal(400, `Bad request: ${why}.`)
}
