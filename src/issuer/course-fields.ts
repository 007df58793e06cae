// The fields of a course as the service takes them, as data: what kind each is, when it is needed, and where the detail shows it again.

import type { CourseDetail } from './course-shapes.ts'

/** A picture of a course; jpg, jpeg and png are the formats that the service names. */
export interface CourseImage {
  bytes: Buffer
  contentType: 'image/jpeg' | 'image/png'
}

interface CourseField {
  kind: 'text' | 'number' | 'texts' | 'image'
  /** Only for a course that is made, or one that is changed. Default both. */
  only?: 'create' | 'update'
  required?: true
  /** Needed when is_certification_expire is 1. */
  whenExpiring?: true
  oneOf?: readonly string[]
  /** Key of the detail; null where no key of it shows this field. */
  shown: keyof CourseDetail | null
  /** A second name under which it is sent too. */
  alsoSentAs?: string
}

/** By the names of the service's parameter table, in its order. Texts are sent as a JSON array in one form field. */
export const courseFields = {
  name: { kind: 'text', required: true, shown: 'course_name' },
  certBodyUUID: { kind: 'text', required: true, shown: null },
  category_uuid: { kind: 'text', required: true, shown: 'category_uuid' },
  templateId: { kind: 'texts', only: 'create', required: true, shown: null },
  badgeTemplateId: { kind: 'texts', only: 'create', required: true, shown: null },
  template_add: { kind: 'texts', only: 'update', shown: null },
  template_remove_id: { kind: 'texts', only: 'update', shown: null },
  badge_template_add: { kind: 'texts', only: 'update', shown: null },
  badge_template_remove_id: { kind: 'texts', only: 'update', shown: null },
  courseNumber: { kind: 'text', required: true, shown: 'course_number' },
  is_certification_expire: { kind: 'number', required: true, oneOf: ['0', '1'], shown: 'is_certification_expire' },
  certificate_validity_duration_type: {
    kind: 'text',
    whenExpiring: true,
    oneOf: ['YEAR', 'MONTH'],
    shown: 'certification_validity_duration_type',
    alsoSentAs: 'certification_validity_duration_type',
  },
  certificate_validity_duration: {
    kind: 'number',
    whenExpiring: true,
    shown: 'certification_validity_duration',
    alsoSentAs: 'certification_validity_duration',
  },
  // Two wordings for "no" stand in the document (Not needed, Not required), so none is refused here.
  recertification: { kind: 'text', whenExpiring: true, shown: 'recertification' },
  includes: { kind: 'texts', shown: 'course_includes' },
  description: { kind: 'text', required: true, shown: 'description' },
  content: { kind: 'text', shown: 'content' },
  competency: { kind: 'text', shown: 'competency' },
  competency_tags: { kind: 'text', shown: 'competency_tags' },
  certificate_description: { kind: 'text', shown: 'certificate_description' },
  admission_requirement: { kind: 'text', shown: 'admission_requirement' },
  duration: { kind: 'number', shown: 'duration' },
  duration_type: { kind: 'text', oneOf: ['HOUR', 'DAY', 'MONTH', 'YEAR'], shown: 'duration_type' },
  course_format_uuid: { kind: 'text', shown: 'course_format_uuid' },
  total_lessons: { kind: 'number', shown: 'total_lessons' },
  price: { kind: 'number', shown: 'price' },
  currency_uuid: { kind: 'text', shown: 'currency_uuid' },
  languages: { kind: 'text', shown: 'course_languages' },
  certificate_course_id: { kind: 'text', shown: 'certificate_course_id' },
  is_public: { kind: 'number', required: true, oneOf: ['0', '1'], shown: 'is_public' },
  image: { kind: 'image', shown: null },
  course_image_certificate: { kind: 'image', shown: null },
  course_buy_url: { kind: 'text', shown: 'course_buy_url' },
  cooperation_partner_name: { kind: 'text', shown: 'cooperation_partner_name' },
  cooperation_partner_url: { kind: 'text', shown: 'cooperation_partner_url' },
  moduleUUID: { kind: 'text', shown: null },
  label1: { kind: 'text', shown: null },
  label2: { kind: 'text', shown: null },
  label3: { kind: 'text', shown: null },
  label4: { kind: 'text', shown: null },
  label5: { kind: 'text', shown: null },
} as const satisfies Record<string, CourseField>

export type CourseFieldName = keyof typeof courseFields

interface ValueOf {
  text: string
  /** A number, or its text where digits must stay as they are written, such as 12.50. */
  number: number | string
  texts: readonly string[]
  image: CourseImage
}

/** What a course may be made or changed with. Undefined is not sent; empty text is. In a change, what is not sent becomes null at the service. */
export type CourseInput = {
  [Name in CourseFieldName]?: ValueOf[(typeof courseFields)[Name]['kind']] | undefined
}

/** The table without its literal types, in order. */
export const courseFieldList = Object.entries(courseFields) as readonly (readonly [CourseFieldName, CourseField])[]
