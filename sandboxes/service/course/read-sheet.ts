// Reads the fields of a course form: which are required, which values are allowed, and the two spellings of the
// validity fields. Pure.

import { categories } from '#sandboxes/service/seeds/categories.ts'
import { certificationBodies } from '#sandboxes/service/seeds/certification-bodies.ts'
import { currencies } from '#sandboxes/service/seeds/currencies.ts'
import { formats } from '#sandboxes/service/seeds/formats.ts'
import { languages } from '#sandboxes/service/seeds/languages.ts'
import { modules } from '#sandboxes/service/seeds/modules.ts'
import type { CourseSheet } from '../course.ts'
import {
  anyText,
  choiceFrom,
  type FieldReader,
  invalidField,
  numberFrom,
  readFlag,
  stringList,
  uuidFrom,
  uuidsFrom,
} from './field-readers.ts'

type Name = keyof CourseSheet

const bodies = certificationBodies.map((certificationBody) => certificationBody.certification_uuid)

const readers: { [K in Name]: FieldReader<NonNullable<CourseSheet[K]>> } = {
  name: anyText,
  certBodyUUID: uuidFrom(bodies, 'certification body'),
  category_uuid: uuidFrom(
    categories.map(({ uuid }) => uuid),
    'category',
  ),
  courseNumber: anyText,
  is_certification_expire: readFlag,
  certification_validity_duration_type: choiceFrom('YEAR', 'MONTH'),
  certification_validity_duration: numberFrom(1, true),
  // The third value is from the documentation's update example.
  recertification: choiceFrom('Needed', 'Not needed', 'Not required'),
  includes: stringList,
  description: anyText,
  content: anyText,
  competency: anyText,
  competency_tags: anyText,
  certificate_description: anyText,
  admission_requirement: anyText,
  duration: numberFrom(0, false),
  duration_type: choiceFrom('HOUR', 'DAY', 'MONTH', 'YEAR'),
  course_format_uuid: uuidFrom(
    formats.map((format) => format.course_format_uuid),
    'format',
  ),
  total_lessons: numberFrom(0, true),
  price: numberFrom(0, false),
  currency_uuid: uuidFrom(
    currencies.map((currency) => currency.currency_uuid),
    'currency',
  ),
  languages: uuidsFrom(
    languages.map((language) => language.language_uuid),
    'language',
  ),
  certificate_course_id: anyText,
  is_public: readFlag,
  course_buy_url: anyText,
  cooperation_partner_name: anyText,
  cooperation_partner_url: anyText,
  moduleUUID: uuidsFrom(
    modules.map((module) => module.module_uuid),
    'module',
  ),
  label1: anyText,
  label2: anyText,
  label3: anyText,
  label4: anyText,
  label5: anyText,
}

const names = Object.keys(readers) as Name[]
const required: readonly Name[] = [
  ...(['name', 'certBodyUUID', 'category_uuid', 'courseNumber', 'is_certification_expire'] as const),
  ...(['description', 'is_public'] as const),
]
const whenItExpires: readonly Name[] = [
  'certification_validity_duration',
  'certification_validity_duration_type',
  'recertification',
]
// The documentation uses these names in its table, and the names above in its create example.
const otherSpelling: Partial<Record<Name, string>> = {
  certification_validity_duration: 'certificate_validity_duration',
  certification_validity_duration_type: 'certificate_validity_duration_type',
}

export const sheetFieldNames: readonly string[] = [...names, ...Object.values(otherSpelling)]

/**
 * Parses a form; a missing or empty field is null.
 * @throws SandboxRefusal 400 naming the first invalid field
 */
export function readCourseSheet(texts: ReadonlyMap<string, string>): CourseSheet {
  const sheet: Record<string, unknown> = {}
  for (const name of names) {
    const text = textOf(texts, name)
    sheet[name] = text === '' ? null : readers[name](text, name)
  }
  const missing = [...required, ...(sheet.is_certification_expire === 1 ? whenItExpires : [])].find(
    (name) => sheet[name] === null,
  )
  if (missing === undefined) return sheet as unknown as CourseSheet
  throw invalidField(
    missing,
    required.includes(missing) ? 'is required' : 'is required when the certificate can expire',
  )
}

function textOf(texts: ReadonlyMap<string, string>, name: Name): string {
  const text = texts.get(name)?.trim() ?? ''
  const other = texts.get(otherSpelling[name] ?? '')?.trim() ?? ''
  if (text !== '' && other !== '' && text !== other)
    throw invalidField(name, 'is given in both spellings with different values')
  return text || other
}
