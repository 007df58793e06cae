// A course as the service shows it: the short item of the list, the long detail, the field list.

import type { FieldDescriptor } from '#src/sandbox/recipient-fields.ts'
import { categories } from '#src/sandbox/seeds/categories.ts'
import { currencies } from '#src/sandbox/seeds/currencies.ts'
import { formats } from '#src/sandbox/seeds/formats.ts'
import { languages } from '#src/sandbox/seeds/languages.ts'
import type { Template } from '#src/sandbox/seeds/templates.ts'
import type { Standing } from './audit.ts'
import type { Course } from './course.ts'

const institute = { uuid: '0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50', name: 'Sandbox Institute', idText: 'SANDBOX' }

const categoryOf = ({ sheet }: Course) => categories.find(({ uuid }) => uuid === sheet.category_uuid)

// What both views show, under the same names.
function common(course: Course, standing: Standing) {
  return {
    course_uuid: course.uuid,
    course_name: course.name,
    course_number: course.number,
    category_uuid: course.sheet.category_uuid,
    course_category: categoryOf(course)?.name ?? '',
    is_active: course.enabled ? 1 : 0,
    approval_status_id: standing.approval,
    audit_status_id: standing.audit,
    institute_name: institute.name,
  }
}

export function courseListItem(course: Course, standing: Standing) {
  return {
    ...common(course, standing),
    institute_uuid: institute.uuid,
    course_category_preferredLabel: categoryOf(course)?.labels.en ?? null,
  }
}

const named = ({ uuid, name }: Template) => ({ template_uuid: uuid, template_name: name })

// Sent and shown under the same name.
const sameInBoth = [
  ...(['description', 'content', 'duration', 'duration_type', 'total_lessons', 'course_format_uuid'] as const),
  ...(['competency', 'certificate_description', 'admission_requirement', 'price', 'certificate_course_id'] as const),
  ...(['currency_uuid', 'recertification', 'is_certification_expire', 'certification_validity_duration'] as const),
  ...(['certification_validity_duration_type', 'course_buy_url', 'is_public', 'cooperation_partner_name'] as const),
  ...(['cooperation_partner_url', 'competency_tags'] as const),
]

/** Every documented field of course detail. certBodyUUID, moduleUUID and the labels are not among them. */
export function courseDetail(course: Course, standing: Standing) {
  const { sheet, image, certificateImage } = course
  const currency = currencies.find((each) => each.currency_uuid === sheet.currency_uuid)
  return {
    ...common(course, standing),
    ...Object.fromEntries(sameInBoth.map((name) => [name, sheet[name]])),
    institute_id_text: institute.idText,
    course_category_preferred_label: categoryOf(course)?.labels.en ?? null,
    course_category_image: null,
    course_category_image_thumb: null,
    // Nothing is drawn smaller here: the thumbnail is the image.
    image_: image?.path ?? null,
    thumb_: image?.path ?? null,
    course_image_certificate: certificateImage?.path ?? null,
    course_thumb_image_certificate: certificateImage?.path ?? null,
    course_format: formats.find((each) => each.course_format_uuid === sheet.course_format_uuid)?.name ?? null,
    currency: currency?.name ?? null,
    currency_code: currency?.code ?? null,
    currency_symbol: currency?.symbol ?? null,
    examination_component: null,
    course_includes: sheet.includes,
    course_languages: sheet.languages && languages.filter((each) => sheet.languages?.includes(each.language_uuid)),
    template_id: course.templates[0].uuid,
    templateDetails: course.templates.map(named),
    badgeTemplateDetail: course.badgeTemplates.map(named),
  }
}

/** The field list payload: descriptors keyed by display name. */
export function fieldList(course: Course): Record<string, FieldDescriptor> {
  return Object.fromEntries(course.fields.map((field) => [field.display_name, field]))
}
