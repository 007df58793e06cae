// Maps each key of a course file to the field of the service that it fills, and to the list in which its names are
// looked up. Pure.

import { type CourseFieldName, courseFields } from '#src/issuer/courses/course-fields.ts'
import { type CourseKey, courseFileSchema } from './course-file-schema.ts'

export const fieldOfKey = {
  name: 'name',
  number: 'courseNumber',
  certificationBody: 'certBodyUUID',
  category: 'category_uuid',
  templates: 'templateId',
  badgeTemplates: 'badgeTemplateId',
  expires: 'is_certification_expire',
  validity: 'certificate_validity_duration',
  validityUnit: 'certificate_validity_duration_type',
  recertification: 'recertification',
  public: 'is_public',
  description: 'description',
  content: 'content',
  includes: 'includes',
  competency: 'competency',
  competencyTags: 'competency_tags',
  certificateDescription: 'certificate_description',
  admissionRequirement: 'admission_requirement',
  duration: 'duration',
  durationUnit: 'duration_type',
  format: 'course_format_uuid',
  lessons: 'total_lessons',
  price: 'price',
  currency: 'currency_uuid',
  languages: 'languages',
  modules: 'moduleUUID',
  certificateCourseId: 'certificate_course_id',
  buyUrl: 'course_buy_url',
  partnerName: 'cooperation_partner_name',
  partnerUrl: 'cooperation_partner_url',
  image: 'image',
  certificateImage: 'course_image_certificate',
  label1: 'label1',
  label2: 'label2',
  label3: 'label3',
  label4: 'label4',
  label5: 'label5',
} as const satisfies Record<CourseKey, CourseFieldName>

/** All keys, in the order in which they are written to a file. */
export const courseKeys = Object.keys(courseFileSchema.shape) as readonly CourseKey[]

const keys = new Map<string, CourseKey>(courseKeys.map((key) => [fieldOfKey[key], key]))

/**
 * Returns the course file key for a field of the service; the name of the field if it has no key, such as
 * `template_add`.
 */
export function keyOf(field: CourseFieldName): string {
  return keys.get(field) ?? field
}

export type CourseListName =
  | 'certificationBodies'
  | 'categories'
  | 'templates'
  | 'formats'
  | 'currencies'
  | 'languages'
  | 'modules'

/** Keys whose values are names or uuids from a list. */
export const listOfKey: Partial<Record<CourseKey, CourseListName>> = {
  certificationBody: 'certificationBodies',
  category: 'categories',
  templates: 'templates',
  badgeTemplates: 'templates',
  format: 'formats',
  currency: 'currencies',
  languages: 'languages',
  modules: 'modules',
}

const fieldNames = (Object.keys(courseFields) as CourseFieldName[]).sort((a, b) => b.length - a.length)
const anyField = new RegExp(`\\b(${fieldNames.join('|')})\\b`, 'g')

/** Replaces the service's field names in a sentence with the keys of a course file. */
export function inFileKeys(sentence: string): string {
  return sentence
    .replace('is_certification_expire is 1', 'expires is true')
    .replace(anyField, (field) => keyOf(field as CourseFieldName))
}
