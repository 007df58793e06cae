// A course as the sandbox stores it. Courses are never changed in place, so that a request keeps the version of the
// course that it was made for. Pure.

import type { Audit } from './audit.ts'
import { type FieldDescriptor, recipientFields } from './recipient-fields.ts'
import type { SeedTemplate } from './seeds/templates.ts'

type Text = string | null

/** The fields of create and update, with the names of the API. Lists contain uuids or strings. */
export interface CourseSheet {
  name: string
  certBodyUUID: string
  category_uuid: string
  courseNumber: string
  is_certification_expire: 0 | 1
  certification_validity_duration_type: 'YEAR' | 'MONTH' | null
  certification_validity_duration: number | null
  recertification: Text
  includes: readonly string[] | null
  description: string
  content: Text
  competency: Text
  competency_tags: Text
  certificate_description: Text
  admission_requirement: Text
  duration: number | null
  duration_type: 'HOUR' | 'DAY' | 'MONTH' | 'YEAR' | null
  course_format_uuid: Text
  total_lessons: number | null
  price: number | null
  currency_uuid: Text
  languages: readonly string[] | null
  certificate_course_id: Text
  is_public: 0 | 1
  course_buy_url: Text
  cooperation_partner_name: Text
  cooperation_partner_url: Text
  moduleUUID: readonly string[] | null
  label1: Text
  label2: Text
  label3: Text
  label4: Text
  label5: Text
}

export type Templates = readonly [SeedTemplate, ...SeedTemplate[]]

export interface CourseParts {
  uuid: string
  sheet: CourseSheet
  audit: Audit
  enabled: boolean
  templates: Templates
  badgeTemplates: Templates
  /** The paths of the images, relative to an image storage that the sandbox does not have. */
  image: string | null
  certificateImage: string | null
}

export interface CourseRecord extends CourseParts {
  name: string
  number: string
  /** Months from issue to the end of validity; null for a credential that does not expire. */
  validMonths: number | null
  fields: readonly FieldDescriptor[]
  /** The column of an upload's sheet that names each recipient's image; null if no template shows one. */
  imageColumn: string | null
}

/** Returns the course with all values that are derived from its parts. */
export function courseOf(parts: CourseParts): CourseRecord {
  const { sheet, templates } = parts
  const months =
    (sheet.certification_validity_duration_type === 'YEAR' ? 12 : 1) * (sheet.certification_validity_duration ?? 0)
  const extraFields = templates.flatMap((template) => template.extraFields)
  return {
    ...parts,
    name: sheet.name,
    number: sheet.courseNumber,
    validMonths: sheet.is_certification_expire === 1 ? months : null,
    fields: extraFields.length === 0 ? recipientFields : [...recipientFields, ...new Set(extraFields)],
    imageColumn: templates.find((template) => template.imageColumn !== null)?.imageColumn ?? null,
  }
}
