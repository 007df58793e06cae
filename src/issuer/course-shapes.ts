// A course as the service shows it: every documented key of list and detail, under one name each, and no other.

import { z } from 'zod'
import { numberOrNull, softText, text, zeroOrOne } from './lenient.ts'

const templates = z
  .array(z.object({ template_uuid: text, template_name: text }))
  .nullish()
  .transform((list) => list ?? [])

/** What stands in both, under the same name. */
const courseKeys = {
  course_uuid: text,
  course_name: text,
  course_number: text,
  category_uuid: softText,
  course_category: softText,
  institute_name: softText,
  is_active: zeroOrOne,
  approval_status_id: numberOrNull,
  audit_status_id: numberOrNull,
}

export const courseListItemShape = z.object({
  ...courseKeys,
  institute_uuid: softText,
  course_category_preferredLabel: softText,
})
/** An item of the course list. Approval 1 pending, 2 approved, 3 on hold, 4 rejected; audit 0 to 5; is_active 1 or 0. */
export type CourseListItem = z.infer<typeof courseListItemShape>

/** Shown, but not how: a list, JSON text or words with commas. Kept as it came. */
const unshown = z
  .unknown()
  .optional()
  .transform((value) => value ?? null)

export const courseDetailShape = z
  .object({
    ...courseKeys,
    institute_id_text: softText,
    course_category_preferred_label: softText,
    course_category_image: softText,
    course_category_image_thumb: softText,
    image_: softText,
    thumb_: softText,
    description: softText,
    content: softText,
    duration: softText,
    duration_type: softText,
    total_lessons: softText,
    course_format_uuid: softText,
    course_format: softText,
    competency: softText,
    certificate_description: softText,
    admission_requirement: softText,
    price: softText,
    certificate_course_id: softText,
    course_image_certificate: softText,
    course_thumb_image_certificate: softText,
    currency_uuid: softText,
    currency: softText,
    currency_code: softText,
    currency_symbol: softText,
    recertification: softText,
    is_certification_expire: zeroOrOne,
    certification_validity_duration: softText,
    certification_validity_duration_type: softText,
    certificate_validity_duration: softText,
    certificate_validity_duration_type: softText,
    course_buy_url: softText,
    is_public: zeroOrOne,
    cooperation_partner_name: softText,
    cooperation_partner_url: softText,
    examination_component: unshown,
    competency_tags: unshown,
    course_includes: unshown,
    course_languages: unshown,
    template_id: unshown,
    templateDetails: templates,
    badgeTemplateDetail: templates,
  })
  // Both spellings occur in the interface; whichever comes is read, and told under the one of the documented detail.
  .transform(({ certificate_validity_duration, certificate_validity_duration_type, ...course }) => ({
    ...course,
    certification_validity_duration: course.certification_validity_duration ?? certificate_validity_duration,
    certification_validity_duration_type:
      course.certification_validity_duration_type ?? certificate_validity_duration_type,
  }))
/** A course in full. Numbers of the form (price, durations, lessons) stay text, so that they go back as they came; image paths are relative to the image storage. */
export type CourseDetail = z.infer<typeof courseDetailShape>
