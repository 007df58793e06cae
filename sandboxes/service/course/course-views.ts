// Formats a course as the service shows it: as a short list item, as the detail, and as its field list. Pure.

import type { FieldDescriptor } from '#sandboxes/service/recipient-fields.ts'
import { categories } from '#sandboxes/service/seeds/categories.ts'
import { currencies } from '#sandboxes/service/seeds/currencies.ts'
import { formats } from '#sandboxes/service/seeds/formats.ts'
import { languages } from '#sandboxes/service/seeds/languages.ts'
import type { SeedTemplate } from '#sandboxes/service/seeds/templates.ts'
import type { AuditState } from '../audit.ts'
import type { CourseRecord } from '../course.ts'

const institute = { uuid: '0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50', name: 'Sandbox Institute', idText: 'SANDBOX' }

const categoryOf = ({ sheet }: CourseRecord) => categories.find(({ uuid }) => uuid === sheet.category_uuid)

// The keys that the list item and the detail have in common.
function commonKeys(course: CourseRecord, status: AuditState) {
  return {
    course_uuid: course.uuid,
    course_name: course.name,
    course_number: course.number,
    category_uuid: course.sheet.category_uuid,
    course_category: categoryOf(course)?.name ?? '',
    is_active: course.enabled ? 1 : 0,
    approval_status_id: status.approval,
    audit_status_id: status.audit,
    institute_name: institute.name,
  }
}

export function courseListItem(course: CourseRecord, status: AuditState) {
  return {
    ...commonKeys(course, status),
    institute_uuid: institute.uuid,
    course_category_preferredLabel: categoryOf(course)?.labels.en ?? null,
  }
}

const templateName = ({ uuid, name }: SeedTemplate) => ({ template_uuid: uuid, template_name: name })

// Fields that a form and the detail have under the same name.
const sameInBoth = [
  ...(['description', 'content', 'duration', 'duration_type', 'total_lessons', 'course_format_uuid'] as const),
  ...(['competency', 'certificate_description', 'admission_requirement', 'price', 'certificate_course_id'] as const),
  ...(['currency_uuid', 'recertification', 'is_certification_expire', 'certification_validity_duration'] as const),
  ...(['certification_validity_duration_type', 'course_buy_url', 'is_public', 'cooperation_partner_name'] as const),
  ...(['cooperation_partner_url', 'competency_tags'] as const),
]

/** Returns every documented field of the detail, which does not include certBodyUUID, moduleUUID and the labels. */
export function courseDetail(course: CourseRecord, status: AuditState) {
  const { sheet, image, certificateImage } = course
  const currency = currencies.find((currency) => currency.currency_uuid === sheet.currency_uuid)
  return {
    ...commonKeys(course, status),
    ...Object.fromEntries(sameInBoth.map((name) => [name, sheet[name]])),
    institute_id_text: institute.idText,
    course_category_preferred_label: categoryOf(course)?.labels.en ?? null,
    course_category_image: null,
    course_category_image_thumb: null,
    // The sandbox does not resize images, so the thumbnail is the image itself.
    image_: image,
    thumb_: image,
    course_image_certificate: certificateImage,
    course_thumb_image_certificate: certificateImage,
    course_format: formats.find((format) => format.course_format_uuid === sheet.course_format_uuid)?.name ?? null,
    currency: currency?.name ?? null,
    currency_code: currency?.code ?? null,
    currency_symbol: currency?.symbol ?? null,
    examination_component: null,
    course_includes: sheet.includes,
    course_languages:
      sheet.languages && languages.filter((language) => sheet.languages?.includes(language.language_uuid)),
    template_id: course.templates[0].uuid,
    templateDetails: course.templates.map(templateName),
    badgeTemplateDetail: course.badgeTemplates.map(templateName),
  }
}

/** Returns the payload of the field list: descriptors keyed by display name. */
export function fieldList(course: CourseRecord): Record<string, FieldDescriptor> {
  return Object.fromEntries(course.fields.map((field) => [field.display_name, field]))
}
