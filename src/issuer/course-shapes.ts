// A course as the service shows it: every documented key of list and detail, under one name each, and no other.

import { z } from 'zod'
import { numberOrNull, shownText, softText, text, zeroOrOne } from './lenient.ts'

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

/** Shown, but not how: a list, JSON text or words with commas. Kept as it came; undefined where the key is absent. */
const unshown = z.unknown().optional()

export const courseDetailShape = z
  .object({
    ...courseKeys,
    institute_id_text: shownText,
    course_category_preferred_label: shownText,
    course_category_image: shownText,
    course_category_image_thumb: shownText,
    image_: shownText,
    thumb_: shownText,
    description: shownText,
    content: shownText,
    duration: shownText,
    duration_type: shownText,
    total_lessons: shownText,
    course_format_uuid: shownText,
    course_format: shownText,
    competency: shownText,
    certificate_description: shownText,
    admission_requirement: shownText,
    price: shownText,
    certificate_course_id: shownText,
    course_image_certificate: shownText,
    course_thumb_image_certificate: shownText,
    currency_uuid: shownText,
    currency: shownText,
    currency_code: shownText,
    currency_symbol: shownText,
    recertification: shownText,
    is_certification_expire: zeroOrOne,
    certification_validity_duration: shownText,
    certification_validity_duration_type: shownText,
    certificate_validity_duration: shownText,
    certificate_validity_duration_type: shownText,
    course_buy_url: shownText,
    is_public: zeroOrOne,
    cooperation_partner_name: shownText,
    cooperation_partner_url: shownText,
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
    certification_validity_duration: either(course.certification_validity_duration, certificate_validity_duration),
    certification_validity_duration_type: either(
      course.certification_validity_duration_type,
      certificate_validity_duration_type,
    ),
  }))

/** Null, surely nothing, where one spelling says so and the other says no more. */
function either(own: string | null | undefined, other: string | null | undefined): string | null | undefined {
  return own ?? other ?? (own === null || other === null ? null : undefined)
}

/** A course in full. In what only the detail has, null is "shown as nothing" and undefined "not shown, or not understood". Numbers of the form (price, durations, lessons) stay text, so that they go back as they came; image paths are relative to the image storage. */
export type CourseDetail = z.infer<typeof courseDetailShape>
