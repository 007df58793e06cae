// Checks the input for creating or changing a course against the rules of the service's parameter table. Pure.

import { type CourseFieldName, type CourseInput, courseFieldList } from './course-fields.ts'

export type CoursePurpose = 'create' | 'update'

type Field = (typeof courseFieldList)[number][1]

/**
 * Returns every fault as a sentence that never contains a value; an empty list if there is none. A sentence names its
 * field, unless the service has no such field: an unknown name may contain personal data. The service may apply further
 * rules.
 */
export function checkCourseInput(input: CourseInput, purpose: CoursePurpose): string[] {
  const expires = String(input.is_certification_expire) === '1'
  const faults = courseFieldList.flatMap(([name, field]) => {
    const fault = faultOf(name, field, input[name], { purpose, expires })
    return fault ? [fault] : []
  })
  const names: string[] = courseFieldList.map(([name]) => name)
  const unknown = Object.keys(input).filter((name) => !names.includes(name))
  return [
    ...faults,
    ...unknown.map(() => 'a field is not a course field of the service; check the names of the fields'),
  ]
}

function faultOf(
  name: CourseFieldName,
  field: Field,
  value: CourseInput[CourseFieldName],
  { purpose, expires }: { purpose: CoursePurpose; expires: boolean },
): string | null {
  if (field.onlyFor && field.onlyFor !== purpose) return value === undefined ? null : wrongPurpose(name, purpose)
  if (isEmpty(value)) {
    if (field.required) return `${name} is required`
    return field.requiredIfExpiring && expires ? `${name} is required when is_certification_expire is 1` : null
  }
  if (!isOfKind(field.kind, value)) return `${name} must be ${kindDescriptions[field.kind]}`
  if (field.oneOf && !field.oneOf.includes(String(value))) return `${name} must be ${field.oneOf.join(' or ')}`
  return null
}

function wrongPurpose(name: string, purpose: CoursePurpose): string {
  return purpose === 'update'
    ? `${name} is only for creating a course; change templates with template_add, template_remove_id, badge_template_add and badge_template_remove_id`
    : `${name} is only for changing a course; use templateId and badgeTemplateId to create one`
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

const kindDescriptions: Record<Field['kind'], string> = {
  text: 'text',
  number: 'a number',
  strings: 'a list of strings',
  image: 'a jpg, jpeg or png image of at least one byte',
}

function isOfKind(kind: Field['kind'], value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'number') return Number.isFinite(value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (kind === 'strings') return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
  const { bytes, contentType } = value as { bytes?: unknown; contentType?: unknown }
  return Buffer.isBuffer(bytes) && bytes.length > 0 && (contentType === 'image/jpeg' || contentType === 'image/png')
}
