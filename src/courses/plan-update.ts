// A change of a course: what it has now and what the file asks for, merged, so that nothing becomes null by accident. Pure.

import { type CourseFieldName, type CourseInput, courseFieldList } from '#src/issuer/course-fields.ts'
import { readBackCourse } from '#src/issuer/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { type CourseTarget, differenceTo, type FieldDifference, heldImages } from './course-difference.ts'
import type { CourseFault } from './course-file-error.ts'
import { keyOf } from './course-keys.ts'
import { faultsIn } from './plan-create.ts'
import { templateSteps, templateUuids } from './template-lists.ts'
import type { WantedFields } from './wanted-course.ts'

export interface UpdatePlan {
  /** The whole form: the service makes null what it does not name. */
  input: CourseInput
  /** What the course shall be afterwards. */
  target: CourseTarget
  differences: FieldDifference[]
  faults: CourseFault[]
}

export function planUpdate(detail: CourseDetail, wanted: WantedFields): UpdatePlan {
  const { fields: held, unreadable } = readBackCourse(detail)
  const { templateId, badgeTemplateId, ...others } = wanted
  const merged: Record<string, unknown> = { ...held, ...others }
  for (const [name, value] of Object.entries(merged)) if (value === null || value === undefined) delete merged[name]
  const target: CourseTarget = {
    fields: inOrder(merged),
    templates: templateId ?? templateUuids(detail.templateDetails),
    badgeTemplates: badgeTemplateId ?? templateUuids(detail.badgeTemplateDetail),
    heldImages: heldImages(detail),
  }
  const input: CourseInput = { ...target.fields, ...stepFields(detail, target) }
  const lost = unreadable.filter((name) => !Object.hasOwn(wanted, name))
  return {
    input,
    target,
    differences: differenceTo(detail, target),
    faults: [
      ...lost.map(unknownNow),
      // Of a field that is lost already, "is required" would be the same fault twice.
      ...faultsIn(input, 'update').filter(({ where }) => !lost.some((name) => keyOf(name) === where)),
    ],
  }
}

function unknownNow(name: CourseFieldName): CourseFault {
  return {
    where: keyOf(name),
    sentence:
      'cannot be read back from the service, and a change that does not name it would wipe it out; write what it holds, or null when it shall be empty',
  }
}

function stepFields(detail: CourseDetail, target: CourseTarget): CourseInput {
  const certificate = templateSteps(templateUuids(detail.templateDetails), target.templates)
  const badge = templateSteps(templateUuids(detail.badgeTemplateDetail), target.badgeTemplates)
  const lists = {
    template_add: certificate.add,
    template_remove_id: certificate.remove,
    badge_template_add: badge.add,
    badge_template_remove_id: badge.remove,
  }
  return Object.fromEntries(Object.entries(lists).filter(([, uuids]) => uuids.length > 0))
}

/** The same file makes the same request, in whatever order its keys stand. */
function inOrder(fields: Record<string, unknown>): CourseInput {
  return Object.fromEntries(courseFieldList.flatMap(([name]) => (name in fields ? [[name, fields[name]]] : [])))
}
