// Builds the requests that update and create a course from a file, and lists everything that is wrong with them. Pure.

import { checkCourseInput } from '#src/issuer/courses/check-course-input.ts'
import { type CourseFieldName, type CourseInput, courseFieldList } from '#src/issuer/courses/course-fields.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import {
  type CourseTarget,
  courseDifferences,
  existingImages,
  type FieldDifference,
  templateSteps,
  templateUuids,
} from './course-difference.ts'
import { inFileKeys, keyOf } from './course-keys.ts'
import type { CourseFault } from './read-course-file.ts'
import type { WantedFields } from './wanted-course.ts'

export interface UpdatePlan {
  /** All fields of the course: the service sets every field that is missing from the request to null. */
  input: CourseInput
  /** The course as it should be afterwards. */
  target: CourseTarget
  differences: FieldDifference[]
  faults: CourseFault[]
}

/** Merges the current values with those of the file, so that no field becomes null by accident. */
export function planUpdate(detail: CourseDetail, wanted: WantedFields): UpdatePlan {
  const { fields: current, unreadable } = readBackCourse(detail)
  const { templateId, badgeTemplateId, ...others } = wanted
  const merged: Record<string, unknown> = { ...current, ...others }
  for (const [name, value] of Object.entries(merged)) if (value === null || value === undefined) delete merged[name]
  const target: CourseTarget = {
    fields: inOrder(merged),
    templates: templateId ?? templateUuids(detail.templateDetails),
    badgeTemplates: badgeTemplateId ?? templateUuids(detail.badgeTemplateDetail),
    existingImages: existingImages(detail),
  }
  const input: CourseInput = { ...target.fields, ...templateFields(detail, target) }
  const unknownFields = unreadable.filter((name) => !Object.hasOwn(wanted, name))
  return {
    input,
    target,
    differences: courseDifferences(detail, target),
    faults: [
      ...unknownFields.map(unknownValueFault),
      // A field that cannot be read back is already reported; "is required" would report it a second time.
      ...faultsIn(input, 'update').filter(({ where }) => !unknownFields.some((name) => keyOf(name) === where)),
    ],
  }
}

function unknownValueFault(name: CourseFieldName): CourseFault {
  return {
    where: keyOf(name),
    sentence:
      'cannot be read back from the service, and a change without this key would erase the field; write the current value, or null if the field is to be empty',
  }
}

function templateFields(detail: CourseDetail, target: CourseTarget): CourseInput {
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

/** Sorts the fields, so that the request does not depend on the order of keys in the file. */
function inOrder(fields: Record<string, unknown>): CourseInput {
  return Object.fromEntries(courseFieldList.flatMap(([name]) => (name in fields ? [[name, fields[name]]] : [])))
}

/** Empty values are not sent: the fields of a new course are empty already. */
export function planCreate(wanted: WantedFields): { input: CourseInput; faults: CourseFault[] } {
  const input = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null)) as CourseInput
  return { input, faults: faultsIn(input, 'create') }
}

/** Checks the rules of the service's parameter table and reports faults by the keys of the file. */
function faultsIn(input: CourseInput, purpose: 'create' | 'update'): CourseFault[] {
  return checkCourseInput(input, purpose).map((sentence) => {
    const [where = '', ...rest] = inFileKeys(sentence).split(' ')
    return { where, sentence: rest.join(' ') }
  })
}
