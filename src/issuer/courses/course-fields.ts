// The fields of a course as the service accepts them: their kinds, when they are required, and under which key the
// course detail shows them. Pure data.

import type { CourseDetail } from './course-shapes.ts'

/** An image of a course. The service documents the formats jpg, jpeg and png. */
export interface CourseImage {
  bytes: Buffer
  contentType: 'image/jpeg' | 'image/png'
}

interface CourseField {
  kind: 'text' | 'number' | 'strings' | 'image'
  /** Set if the field is only for creating or only for changing a course. Default: for both. */
  onlyFor?: 'create' | 'update'
  required?: true
  /** Required if is_certification_expire is 1. */
  requiredIfExpiring?: true
  oneOf?: readonly string[]
  /** The key under which the course detail shows this field; null if it does not. */
  detailKey: keyof CourseDetail | null
  /** A second name under which the value is also sent. */
  alsoSentAs?: string
}

/**
 * Keyed by the names in the service's parameter table, in the table's order. `strings` are sent as a JSON array in one
 * form field.
 */
export const courseFields = {
  name: { kind: 'text', required: true, detailKey: 'course_name' },
  certBodyUUID: { kind: 'text', required: true, detailKey: null },
  category_uuid: { kind: 'text', required: true, detailKey: 'category_uuid' },
  templateId: { kind: 'strings', onlyFor: 'create', required: true, detailKey: null },
  badgeTemplateId: { kind: 'strings', onlyFor: 'create', required: true, detailKey: null },
  template_add: { kind: 'strings', onlyFor: 'update', detailKey: null },
  template_remove_id: { kind: 'strings', onlyFor: 'update', detailKey: null },
  badge_template_add: { kind: 'strings', onlyFor: 'update', detailKey: null },
  badge_template_remove_id: { kind: 'strings', onlyFor: 'update', detailKey: null },
  courseNumber: { kind: 'text', required: true, detailKey: 'course_number' },
  is_certification_expire: { kind: 'number', required: true, oneOf: ['0', '1'], detailKey: 'is_certification_expire' },
  certificate_validity_duration_type: {
    kind: 'text',
    requiredIfExpiring: true,
    oneOf: ['YEAR', 'MONTH'],
    detailKey: 'certification_validity_duration_type',
    alsoSentAs: 'certification_validity_duration_type',
  },
  certificate_validity_duration: {
    kind: 'number',
    requiredIfExpiring: true,
    detailKey: 'certification_validity_duration',
    alsoSentAs: 'certification_validity_duration',
  },
  // The service's documentation has two spellings of "no" (Not needed, Not required), so any text is accepted here.
  recertification: { kind: 'text', requiredIfExpiring: true, detailKey: 'recertification' },
  includes: { kind: 'strings', detailKey: 'course_includes' },
  description: { kind: 'text', required: true, detailKey: 'description' },
  content: { kind: 'text', detailKey: 'content' },
  competency: { kind: 'text', detailKey: 'competency' },
  competency_tags: { kind: 'text', detailKey: 'competency_tags' },
  certificate_description: { kind: 'text', detailKey: 'certificate_description' },
  admission_requirement: { kind: 'text', detailKey: 'admission_requirement' },
  duration: { kind: 'number', detailKey: 'duration' },
  duration_type: { kind: 'text', oneOf: ['HOUR', 'DAY', 'MONTH', 'YEAR'], detailKey: 'duration_type' },
  course_format_uuid: { kind: 'text', detailKey: 'course_format_uuid' },
  total_lessons: { kind: 'number', detailKey: 'total_lessons' },
  price: { kind: 'number', detailKey: 'price' },
  currency_uuid: { kind: 'text', detailKey: 'currency_uuid' },
  languages: { kind: 'text', detailKey: 'course_languages' },
  certificate_course_id: { kind: 'text', detailKey: 'certificate_course_id' },
  is_public: { kind: 'number', required: true, oneOf: ['0', '1'], detailKey: 'is_public' },
  image: { kind: 'image', detailKey: null },
  course_image_certificate: { kind: 'image', detailKey: null },
  course_buy_url: { kind: 'text', detailKey: 'course_buy_url' },
  cooperation_partner_name: { kind: 'text', detailKey: 'cooperation_partner_name' },
  cooperation_partner_url: { kind: 'text', detailKey: 'cooperation_partner_url' },
  moduleUUID: { kind: 'text', detailKey: null },
  label1: { kind: 'text', detailKey: null },
  label2: { kind: 'text', detailKey: null },
  label3: { kind: 'text', detailKey: null },
  label4: { kind: 'text', detailKey: null },
  label5: { kind: 'text', detailKey: null },
} as const satisfies Record<string, CourseField>

export type CourseFieldName = keyof typeof courseFields

interface ValueOf {
  text: string
  /** A number, or its text if digits must be kept as written, such as 12.50. */
  number: number | string
  strings: readonly string[]
  image: CourseImage
}

/**
 * The input for creating or changing a course. Undefined fields are not sent; empty text is. In a change, the service
 * sets every field that is not sent to null.
 */
export type CourseInput = {
  [Name in CourseFieldName]?: ValueOf[(typeof courseFields)[Name]['kind']] | undefined
}

/** The entries of `courseFields` in order, without their literal types. */
export const courseFieldList = Object.entries(courseFields) as readonly (readonly [CourseFieldName, CourseField])[]
