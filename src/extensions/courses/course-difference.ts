// Compares a course with its target state: field by field, and its templates. The differences are shown for
// confirmation before a change, and computed again afterwards to find out whether the change took effect. Pure.

import {
  type CourseFieldName,
  type CourseImage,
  type CourseInput,
  courseFieldList,
} from '#src/issuer/courses/course-fields.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { sameUuid } from '#src/platform/uuid.ts'
import { keyOf } from './course-keys.ts'

/** A complete course: a field that is not listed is empty. */
export interface CourseTarget {
  fields: CourseInput
  templates: readonly string[]
  badgeTemplates: readonly string[]
  /** Image fields that already have an image. A change keeps these images. */
  existingImages: readonly CourseFieldName[]
}

export interface FieldDifference {
  /** The key in a course file. */
  key: string
  /** The value as it is sent, with lists separated by commas. Null if it is empty or the service does not show it. */
  before: string | null
  after: string | null
  /** Whether the service shows this field, so that a later reading can tell whether it changed. */
  seen: boolean
}

export function courseDifferences(detail: CourseDetail, target: CourseTarget): FieldDifference[] {
  const { fields, templates, badgeTemplates } = target
  const { fields: currentFields, unreadable } = readBackCourse(detail)
  const ofFields = courseFieldList.flatMap(([name, { kind, onlyFor }]): FieldDifference[] => {
    const wanted = fields[name]
    if (onlyFor) return []
    if (kind === 'image') return imageDifference(name, imagePath(name, detail), target)
    const [before, after] = [textOf(currentFields[name]), textOf(wanted)]
    const key = keyOf(name)
    if (unreadable.includes(name)) return [{ key, before: null, after, seen: false }]
    return sameValue(name, before, after) ? [] : [{ key, before, after, seen: true }]
  })
  return [
    ...ofFields,
    ...templateDifference('templates', templateUuids(detail.templateDetails), templates),
    ...templateDifference('badgeTemplates', templateUuids(detail.badgeTemplateDetail), badgeTemplates),
  ]
}

/**
 * Returns only the differences in fields that the service shows. After a change, these are the ones that did not take
 * effect.
 */
export function visibleDifferences(detail: CourseDetail, target: CourseTarget): FieldDifference[] {
  return courseDifferences(detail, target).filter(({ seen }) => seen)
}

/** The path of an image in the course detail; null if there is none. */
function imagePath(name: CourseFieldName, detail: CourseDetail): string | null {
  return (name === 'image' ? detail.image_ : detail.course_image_certificate) ?? null
}

/** The image fields that have an image. */
export function existingImages(detail: CourseDetail): CourseFieldName[] {
  return imageFields.filter((name) => imagePath(name, detail) !== null)
}

/** A replaced image cannot be verified: the service shows only the paths of its images. */
function imageDifference(
  name: CourseFieldName,
  before: string | null,
  { fields, existingImages }: CourseTarget,
): FieldDifference[] {
  const image = fields[name] as CourseImage | undefined
  const key = keyOf(name)
  if (image) {
    const kind = image.contentType === 'image/png' ? 'png' : 'jpg'
    return [{ key, before, after: `a new ${kind} of ${image.bytes.length} bytes`, seen: before === null }]
  }
  return before === null && existingImages.includes(name)
    ? [{ key, before, after: 'the existing image', seen: true }]
    : []
}

function templateDifference(key: string, current: readonly string[], wanted: readonly string[]): FieldDifference[] {
  const { add, remove } = templateSteps(current, wanted)
  if (add.length + remove.length === 0) return []
  return [{ key, before: current.join(', ') || null, after: wanted.join(', ') || null, seen: true }]
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const imageFields: readonly CourseFieldName[] = ['image', 'course_image_certificate']
const listFields: readonly CourseFieldName[] = ['languages', 'moduleUUID']
const numberFields = new Set<string>(courseFieldList.filter(([, { kind }]) => kind === 'number').map(([name]) => name))

/**
 * Compares two values of a field. The service trims text, writes 12.50 as 12.5 and reorders lists; none of this counts
 * as a change.
 */
export function sameValue(name: CourseFieldName, a: string | null, b: string | null): boolean {
  const [one, other] = [plainText(a), plainText(b)]
  if (one === other) return true
  if (numberFields.has(name)) return one !== '' && other !== '' && Number(one) === Number(other)
  if (listFields.includes(name)) return sameSet(parts(one), parts(other))
  if (name === 'competency_tags') return parts(one).join() === parts(other).join()
  return false
}

const plainText = (text: string | null) => (text ?? '').replace(/\r\n?/g, '\n').trim()
const parts = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const containsAll = (whole: readonly string[], part: readonly string[]) =>
    part.every((each) => whole.some((candidate) => sameUuid(each, candidate)))
  return containsAll(a, b) && containsAll(b, a)
}

/** Returns the uuids of a template list of a course detail, in the order of the list. */
export function templateUuids(shown: CourseDetail['templateDetails']): string[] {
  return shown.flatMap(({ template_uuid }) => (template_uuid === null ? [] : [template_uuid]))
}

interface TemplateSteps {
  add: string[]
  remove: string[]
}

/** Returns what to add and remove to get from `current` to `wanted`. The order of the lists is ignored. */
export function templateSteps(current: readonly string[], wanted: readonly string[]): TemplateSteps {
  const has = (list: readonly string[], uuid: string) => list.some((entry) => sameUuid(entry, uuid))
  return {
    add: wanted.filter((uuid) => !has(current, uuid)),
    remove: current.filter((uuid) => !has(wanted, uuid)),
  }
}
