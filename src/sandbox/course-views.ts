// A course as the service shows it: the short item of the list, the long detail, the field list.

import type { Course, Template } from './courses.ts'
import type { FieldDescriptor } from './recipient-fields.ts'

const institute = { uuid: '0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50', name: 'Sandbox Institute', idText: 'SANDBOX' }

// One category has no entity of its own in the sandbox; its uuid only has to stay the same.
const categoryUuids: Record<string, string> = {
  Trades: '91c2d3e4-f506-4718-892a-3b4c5d6e7f61',
  Compliance: '92c2d3e4-f506-4718-892a-3b4c5d6e7f62',
  Office: '93c2d3e4-f506-4718-892a-3b4c5d6e7f63',
}

// What both views show, under the same names.
function common(course: Course) {
  return {
    course_uuid: course.uuid,
    course_name: course.name,
    course_number: course.number,
    category_uuid: categoryUuids[course.category] ?? '',
    course_category: course.category,
    is_active: course.enabled ? 1 : 0,
    approval_status_id: course.approvalStatus,
    audit_status_id: course.auditStatus,
    institute_name: institute.name,
  }
}

export function courseListItem(course: Course) {
  return { ...common(course), institute_uuid: institute.uuid, course_category_preferredLabel: null }
}

const named = ({ uuid, name }: Template) => ({ template_uuid: uuid, template_name: name })

// Every documented field that the sandbox's courses leave unset.
const unset = {
  course_category_preferred_label: null,
  course_category_image: null,
  course_category_image_thumb: null,
  image_: null,
  thumb_: null,
  content: null,
  duration: null,
  duration_type: null,
  total_lessons: null,
  course_format_uuid: null,
  course_format: null,
  competency: null,
  certificate_description: null,
  admission_requirement: null,
  price: null,
  certificate_course_id: null,
  course_image_certificate: null,
  course_thumb_image_certificate: null,
  currency_uuid: null,
  currency: null,
  currency_code: null,
  currency_symbol: null,
  course_buy_url: null,
  cooperation_partner_name: null,
  cooperation_partner_url: null,
  examination_component: null,
  competency_tags: null,
  course_includes: null,
  course_languages: null,
}

export function courseDetail(course: Course) {
  return {
    ...unset,
    ...common(course),
    institute_id_text: institute.idText,
    description: course.description,
    is_public: 1,
    is_certification_expire: course.validMonths === null ? 0 : 1,
    certification_validity_duration: course.validMonths,
    certification_validity_duration_type: course.validMonths === null ? null : 'MONTH',
    recertification: course.validMonths === null ? null : 'Needed',
    template_id: course.templates[0].uuid,
    templateDetails: course.templates.map(named),
    badgeTemplateDetail: course.badgeTemplates.map(named),
  }
}

/** The field list payload: descriptors keyed by display name. */
export function fieldList(course: Course): Record<string, FieldDescriptor> {
  return Object.fromEntries(course.fields.map((field) => [field.display_name, field]))
}
