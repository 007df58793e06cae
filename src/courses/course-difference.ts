// What a course has against what it shall have, field by field: the ground of the question, of the look afterwards, and of the verdict. Pure.

import { type CourseFieldName, type CourseImage, type CourseInput, courseFieldList } from '#src/issuer/course-fields.ts'
import { readBackCourse } from '#src/issuer/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { keyOf } from './course-keys.ts'
import { sameUuid, templateSteps, templateUuids } from './template-lists.ts'

/** A whole course: a field that is not named is empty. */
export interface CourseTarget {
  fields: CourseInput
  templates: readonly string[]
  badgeTemplates: readonly string[]
  /** Image fields that hold one already: a change keeps them. */
  heldImages: readonly CourseFieldName[]
}

export interface FieldDifference {
  /** As course files call it. */
  key: string
  /** Text as on the wire, lists with commas; null is empty, and so is what cannot be seen. */
  before: string | null
  after: string | null
  /** Whether the service shows this field, so that a later look can tell if it was changed. */
  seen: boolean
}

export function differenceTo(detail: CourseDetail, target: CourseTarget): FieldDifference[] {
  const { fields, templates, badgeTemplates } = target
  const { fields: held, unreadable } = readBackCourse(detail)
  const plain = courseFieldList.flatMap(([name, { kind, only }]): FieldDifference[] => {
    const wanted = fields[name]
    if (only) return []
    if (kind === 'image') return imageDifference(name, imagePath(name, detail), target)
    const [before, after] = [textOf(held[name]), textOf(wanted)]
    const key = keyOf(name)
    if (unreadable.includes(name)) return [{ key, before: null, after, seen: false }]
    return sameValue(name, before, after) ? [] : [{ key, before, after, seen: true }]
  })
  return [
    ...plain,
    ...templateDifference('templates', templateUuids(detail.templateDetails), templates),
    ...templateDifference('badgeTemplates', templateUuids(detail.badgeTemplateDetail), badgeTemplates),
  ]
}

/** Of these, the ones that the service shows: after a change, what did not come to be. */
export function seenDifferenceTo(detail: CourseDetail, target: CourseTarget): FieldDifference[] {
  return differenceTo(detail, target).filter(({ seen }) => seen)
}

/** Where the detail keeps the path of an image; null where there is none. */
function imagePath(name: CourseFieldName, detail: CourseDetail): string | null {
  return (name === 'image' ? detail.image_ : detail.course_image_certificate) ?? null
}

/** The image fields that hold one. */
export function heldImages(detail: CourseDetail): CourseFieldName[] {
  return imageFields.filter((name) => imagePath(name, detail) !== null)
}

/** A new image where one was is not seen: the service tells where its images are, not what they are. */
function imageDifference(
  name: CourseFieldName,
  before: string | null,
  { fields, heldImages }: CourseTarget,
): FieldDifference[] {
  const image = fields[name] as CourseImage | undefined
  const key = keyOf(name)
  if (image) {
    const kind = image.contentType === 'image/png' ? 'png' : 'jpg'
    return [{ key, before, after: `a new ${kind} of ${image.bytes.length} bytes`, seen: before === null }]
  }
  return before === null && heldImages.includes(name)
    ? [{ key, before, after: 'the image that it had', seen: true }]
    : []
}

function templateDifference(key: string, held: readonly string[], wanted: readonly string[]): FieldDifference[] {
  const { add, remove } = templateSteps(held, wanted)
  if (add.length + remove.length === 0) return []
  return [{ key, before: held.join(', ') || null, after: wanted.join(', ') || null, seen: true }]
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const imageFields: readonly CourseFieldName[] = ['image', 'course_image_certificate']
const lists: readonly CourseFieldName[] = ['languages', 'moduleUUID']
const numbers = new Set<string>(courseFieldList.filter(([, { kind }]) => kind === 'number').map(([name]) => name))

/** Services trim texts, write 12.50 as 12.5 and order lists as they like: none of these is a change. */
export function sameValue(name: CourseFieldName, a: string | null, b: string | null): boolean {
  const [one, other] = [plainText(a), plainText(b)]
  if (one === other) return true
  if (numbers.has(name)) return one !== '' && other !== '' && Number(one) === Number(other)
  if (lists.includes(name)) return sameSet(parts(one), parts(other))
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
  const inside = (one: readonly string[], other: readonly string[]) =>
    one.every((each) => other.some((candidate) => sameUuid(each, candidate)))
  return inside(a, b) && inside(b, a)
}
