// Whether a course can be made or changed with what is given, by the rules of the service's parameter table. Pure.

import { type CourseFieldName, type CourseInput, courseFieldList } from './course-fields.ts'

export type CoursePurpose = 'create' | 'update'

type Field = (typeof courseFieldList)[number][1]

/** Every fault as a sentence that names the field and never its value; empty when there is none. The service may know more rules. */
export function checkCourseInput(input: CourseInput, purpose: CoursePurpose): string[] {
  const expires = String(input.is_certification_expire) === '1'
  const known = courseFieldList.flatMap(([name, field]) => {
    const fault = faultOf(name, field, input[name], { purpose, expires })
    return fault ? [fault] : []
  })
  const names: string[] = courseFieldList.map(([name]) => name)
  const strange = Object.keys(input).filter((name) => !names.includes(name))
  return [...known, ...strange.map(() => 'a field is not one of a course; see the field names of the service')]
}

function faultOf(
  name: CourseFieldName,
  field: Field,
  value: CourseInput[CourseFieldName],
  { purpose, expires }: { purpose: CoursePurpose; expires: boolean },
): string | null {
  if (field.only && field.only !== purpose) return value === undefined ? null : wrongPurpose(name, purpose)
  if (isEmpty(value)) {
    if (field.required) return `${name} is required`
    return field.whenExpiring && expires ? `${name} is required when is_certification_expire is 1` : null
  }
  if (!isOfKind(field.kind, value)) return `${name} must be ${wordsOfKind[field.kind]}`
  if (field.oneOf && !field.oneOf.includes(String(value))) return `${name} must be ${field.oneOf.join(' or ')}`
  return null
}

function wrongPurpose(name: string, purpose: CoursePurpose): string {
  return purpose === 'update'
    ? `${name} belongs to a new course; change templates with template_add, template_remove_id, badge_template_add and badge_template_remove_id`
    : `${name} belongs to the change of a course; give templateId and badgeTemplateId to a new one`
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

const wordsOfKind: Record<Field['kind'], string> = {
  text: 'text',
  number: 'a number',
  texts: 'a list of texts',
  image: 'a jpg, jpeg or png image of at least one byte',
}

function isOfKind(kind: Field['kind'], value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'number') return Number.isFinite(value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (kind === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
  const { bytes, contentType } = value as { bytes?: unknown; contentType?: unknown }
  return Buffer.isBuffer(bytes) && bytes.length > 0 && (contentType === 'image/jpeg' || contentType === 'image/png')
}
