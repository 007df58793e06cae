// The fields of a course form: what is required, which values there are, and the two spellings of the validity.

import { categories } from '#src/sandbox/seeds/categories.ts'
import { certificationBodies } from '#src/sandbox/seeds/certification-bodies.ts'
import { currencies } from '#src/sandbox/seeds/currencies.ts'
import { formats } from '#src/sandbox/seeds/formats.ts'
import { languages } from '#src/sandbox/seeds/languages.ts'
import { modules } from '#src/sandbox/seeds/modules.ts'
import type { CourseSheet } from './course.ts'
import { anyText, flag, known, knownOnes, number, oneOf, type Reader, words, wrong } from './field-readers.ts'

type Name = keyof CourseSheet

const bodies = certificationBodies.map((each) => each.certification_uuid)

const readers: { [K in Name]: Reader<NonNullable<CourseSheet[K]>> } = {
  name: anyText,
  certBodyUUID: known(bodies, 'certification body'),
  category_uuid: known(
    categories.map(({ uuid }) => uuid),
    'category',
  ),
  courseNumber: anyText,
  is_certification_expire: flag,
  certification_validity_duration_type: oneOf('YEAR', 'MONTH'),
  certification_validity_duration: number(1, true),
  // The third wording is that of the update example.
  recertification: oneOf('Needed', 'Not needed', 'Not required'),
  includes: words,
  description: anyText,
  content: anyText,
  competency: anyText,
  competency_tags: anyText,
  certificate_description: anyText,
  admission_requirement: anyText,
  duration: number(0, false),
  duration_type: oneOf('HOUR', 'DAY', 'MONTH', 'YEAR'),
  course_format_uuid: known(
    formats.map((each) => each.course_format_uuid),
    'format',
  ),
  total_lessons: number(0, true),
  price: number(0, false),
  currency_uuid: known(
    currencies.map((each) => each.currency_uuid),
    'currency',
  ),
  languages: knownOnes(
    languages.map((each) => each.language_uuid),
    'language',
  ),
  certificate_course_id: anyText,
  is_public: flag,
  course_buy_url: anyText,
  cooperation_partner_name: anyText,
  cooperation_partner_url: anyText,
  moduleUUID: knownOnes(
    modules.map((each) => each.module_uuid),
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
// The table of the papers names them so, their create example as above.
const otherSpelling: Partial<Record<Name, string>> = {
  certification_validity_duration: 'certificate_validity_duration',
  certification_validity_duration_type: 'certificate_validity_duration_type',
}

export const sheetFieldNames: readonly string[] = [...names, ...Object.values(otherSpelling)]

/** The sheet of a form; a field that is absent or empty is null. @throws Refusal 400 naming the first field at fault */
export function readSheet(texts: ReadonlyMap<string, string>): CourseSheet {
  const sheet: Record<string, unknown> = {}
  for (const name of names) {
    const text = textOf(texts, name)
    sheet[name] = text === '' ? null : readers[name](text, name)
  }
  const missing = [...required, ...(sheet.is_certification_expire === 1 ? whenItExpires : [])].find(
    (name) => sheet[name] === null,
  )
  if (missing === undefined) return sheet as unknown as CourseSheet
  throw wrong(missing, required.includes(missing) ? 'is required' : 'is required when the certificate can expire')
}

function textOf(texts: ReadonlyMap<string, string>, name: Name): string {
  const text = texts.get(name)?.trim() ?? ''
  const other = texts.get(otherSpelling[name] ?? '')?.trim() ?? ''
  if (text !== '' && other !== '' && text !== other) throw wrong(name, 'is there in both spellings with two values')
  return text || other
}
