// Creates and updates courses from multipart forms, which are validated completely before anything changes.

import type { SandboxCall, SandboxReply } from '#sandboxes/service/call.ts'
import { success } from '#sandboxes/service/envelope.ts'
import { type Form, RawForm, readForm } from '#sandboxes/service/form.ts'
import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import { folded } from '#sandboxes/service/request-store.ts'
import { courseNamed, type RouteContext } from '#sandboxes/service/route-context.ts'
import { changedTemplates, chosenTemplates, createTemplateFields, updateTemplateFields } from './choose-templates.ts'
import { imageIn } from './course-images.ts'
import { invalidField } from './field-readers.ts'
import { readCourseSheet, sheetFieldNames } from './read-sheet.ts'

const imageFields: readonly string[] = ['image', 'course_image_certificate']

export async function createCourse(context: RouteContext, call: SandboxCall): Promise<SandboxReply> {
  const { texts, files } = await courseForm(call, createTemplateFields)
  const sheet = readCourseSheet(texts)
  const parts = {
    sheet,
    templates: chosenTemplates(texts, 'templateId', 'certificate'),
    badgeTemplates: chosenTemplates(texts, 'badgeTemplateId', 'badge'),
    image: imageIn(files, 'image'),
    certificateImage: imageIn(files, 'course_image_certificate'),
  }
  checkNumber(context, sheet.courseNumber, null)
  const course = context.courses.create(parts)
  call.record({ kind: 'course changed', change: 'created', course: course.uuid })
  return { json: success('Course added successfully.') }
}

/** Sets missing fields to null, but keeps templates and images. Fields required on create are required here too. */
export async function updateCourse(context: RouteContext, call: SandboxCall): Promise<SandboxReply> {
  const { texts, files } = await courseForm(call, updateTemplateFields)
  const course = courseNamed(context, call.params.course_uuid ?? '')
  const sheet = readCourseSheet(texts)
  const parts = {
    sheet,
    templates: changedTemplates(course.templates, texts, ''),
    badgeTemplates: changedTemplates(course.badgeTemplates, texts, 'badge_'),
    image: imageIn(files, 'image') ?? course.image,
    certificateImage: imageIn(files, 'course_image_certificate') ?? course.certificateImage,
  }
  checkNumber(context, sheet.courseNumber, course.uuid)
  context.courses.change(course, parts)
  call.record({ kind: 'course changed', change: 'updated', course: course.uuid })
  return { json: success('Course details updated successfully.') }
}

async function courseForm({ body }: SandboxCall, templateFields: readonly string[]): Promise<Form> {
  if (!(body instanceof RawForm)) throw new SandboxRefusal(400, 'Bad request: a course is sent as multipart/form-data.')
  const form = await readForm(body)
  // A field with a wrong name is refused, because ignoring it would silently set the intended field to null.
  for (const name of form.texts.keys()) {
    if (imageFields.includes(name)) throw invalidField(name, 'must be a file')
    if (!sheetFieldNames.includes(name) && !templateFields.includes(name))
      throw new SandboxRefusal(400, 'Bad request: the form has a field that is not documented for this call.')
  }
  for (const name of form.files.keys())
    if (!imageFields.includes(name))
      throw new SandboxRefusal(400, 'Bad request: the form has a file that is not documented.')
  return form
}

function checkNumber({ courses }: RouteContext, number: string, own: string | null): void {
  const taken = courses.all().some((each) => each.uuid !== own && folded(each.number) === folded(number))
  if (taken) throw invalidField('courseNumber', 'belongs to another course')
}
