// A course as the sandbox keeps it: never changed in place, so that a request keeps the course that it was made for.

import { type FieldDescriptor, recipientFields } from '#src/sandbox/recipient-fields.ts'
import type { Template } from '#src/sandbox/seeds/templates.ts'
import type { Audit } from './audit.ts'

type Text = string | null

/** What create and update are sent, under the names of the wire. Lists are of uuids or words. */
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

export interface StoredImage {
  /** Relative to the image storage. */
  path: string
  contentType: string
  bytes: Buffer
}

export type Templates = readonly [Template, ...Template[]]

export interface CourseParts {
  uuid: string
  sheet: CourseSheet
  audit: Audit
  enabled: boolean
  templates: Templates
  badgeTemplates: Templates
  image: StoredImage | null
  certificateImage: StoredImage | null
}

export interface Course extends CourseParts {
  name: string
  number: string
  /** Months from issue to the end of validity; null for a credential that does not expire. */
  validMonths: number | null
  fields: readonly FieldDescriptor[]
  /** The column of an upload's sheet that names each recipient's image; null where no template shows one. */
  imageColumn: string | null
}

/** The course with all that follows from its parts. */
export function courseOf(parts: CourseParts): Course {
  const { sheet, templates } = parts
  const months =
    (sheet.certification_validity_duration_type === 'YEAR' ? 12 : 1) * (sheet.certification_validity_duration ?? 0)
  const more = templates.flatMap((each) => each.moreFields)
  return {
    ...parts,
    name: sheet.name,
    number: sheet.courseNumber,
    validMonths: sheet.is_certification_expire === 1 ? months : null,
    fields: more.length === 0 ? recipientFields : [...recipientFields, ...new Set(more)],
    imageColumn: templates.find((each) => each.imageColumn !== null)?.imageColumn ?? null,
  }
}
