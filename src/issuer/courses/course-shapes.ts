// zod schemas for courses as the service shows them: every documented key of the course list and the course detail,
// each under one name, and no other key.

import { z } from 'zod'
import { lenientText, numberOrNull, readBackText, text, zeroOrOne } from '../lenient-schemas.ts'

const templates = z
  .array(z.object({ template_uuid: text, template_name: text }))
  .nullish()
  .transform((list) => list ?? [])

/** The keys that the list and the detail share. */
const courseKeys = {
  course_uuid: text,
  course_name: text,
  course_number: text,
  category_uuid: lenientText,
  course_category: lenientText,
  institute_name: lenientText,
  is_active: zeroOrOne,
  approval_status_id: numberOrNull,
  audit_status_id: numberOrNull,
}

export const courseListItemShape = z.object({
  ...courseKeys,
  institute_uuid: lenientText,
  course_category_preferredLabel: lenientText,
})
/**
 * An item of the course list. Approval status: 1 pending, 2 approved, 3 on hold, 4 rejected. Audit status: 0 to 5.
 * is_active: 1 or 0.
 */
export type CourseListItem = z.infer<typeof courseListItemShape>

/**
 * A value in an undocumented format: a list, JSON in a string, or words separated by commas. Kept unchanged; undefined
 * if the key is absent.
 */
const anyFormat = z.unknown().optional()

export const courseDetailShape = z
  .object({
    ...courseKeys,
    institute_id_text: readBackText,
    course_category_preferred_label: readBackText,
    course_category_image: readBackText,
    course_category_image_thumb: readBackText,
    image_: readBackText,
    thumb_: readBackText,
    description: readBackText,
    content: readBackText,
    duration: readBackText,
    duration_type: readBackText,
    total_lessons: readBackText,
    course_format_uuid: readBackText,
    course_format: readBackText,
    competency: readBackText,
    certificate_description: readBackText,
    admission_requirement: readBackText,
    price: readBackText,
    certificate_course_id: readBackText,
    course_image_certificate: readBackText,
    course_thumb_image_certificate: readBackText,
    currency_uuid: readBackText,
    currency: readBackText,
    currency_code: readBackText,
    currency_symbol: readBackText,
    recertification: readBackText,
    is_certification_expire: zeroOrOne,
    certification_validity_duration: readBackText,
    certification_validity_duration_type: readBackText,
    certificate_validity_duration: readBackText,
    certificate_validity_duration_type: readBackText,
    course_buy_url: readBackText,
    is_public: zeroOrOne,
    cooperation_partner_name: readBackText,
    cooperation_partner_url: readBackText,
    examination_component: anyFormat,
    competency_tags: anyFormat,
    course_includes: anyFormat,
    course_languages: anyFormat,
    template_id: anyFormat,
    templateDetails: templates,
    badgeTemplateDetail: templates,
  })
  // The service uses both spellings; either is read, and the result has the name that the documented detail uses.
  .transform(({ certificate_validity_duration, certificate_validity_duration_type, ...course }) => ({
    ...course,
    certification_validity_duration: fromEitherSpelling(
      course.certification_validity_duration,
      certificate_validity_duration,
    ),
    certification_validity_duration_type: fromEitherSpelling(
      course.certification_validity_duration_type,
      certificate_validity_duration_type,
    ),
  }))

/** The value under either spelling; null (certainly empty) if one spelling is null and the other has no value. */
function fromEitherSpelling(
  own: string | null | undefined,
  other: string | null | undefined,
): string | null | undefined {
  return own ?? other ?? (own === null || other === null ? null : undefined)
}

/**
 * A complete course. For keys that only the detail has, null means "shown as empty" and undefined "not shown, or not
 * understood". Numeric form fields (price, durations, lessons) remain text, so that they are sent back unchanged. Image
 * paths are relative to the service's image storage.
 */
export type CourseDetail = z.infer<typeof courseDetailShape>
