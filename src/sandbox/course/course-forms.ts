// Course create and course update: one form each, judged whole before anything changes.

import type { Call, Reply } from '#src/sandbox/call.ts'
import { success } from '#src/sandbox/envelope.ts'
import { type Form, RawForm, readForm } from '#src/sandbox/form.ts'
import { courseNamed, type Premises } from '#src/sandbox/premises.ts'
import { Refusal } from '#src/sandbox/refusal.ts'
import { folded } from '#src/sandbox/request-book.ts'
import { changedTemplates, chosenTemplates, createTemplateFields, updateTemplateFields } from './choose-templates.ts'
import { imageIn } from './course-images.ts'
import { wrong } from './field-readers.ts'
import { readSheet, sheetFieldNames } from './read-sheet.ts'

const imageFields: readonly string[] = ['image', 'course_image_certificate']

export async function createCourse(premises: Premises, call: Call): Promise<Reply> {
  const { texts, files } = await courseForm(call, createTemplateFields)
  const sheet = readSheet(texts)
  const parts = {
    sheet,
    templates: chosenTemplates(texts, 'templateId', 'certificate'),
    badgeTemplates: chosenTemplates(texts, 'badgeTemplateId', 'badge'),
    image: imageIn(files, 'image'),
    certificateImage: imageIn(files, 'course_image_certificate'),
  }
  checkNumber(premises, sheet.courseNumber, null)
  const course = premises.courses.create(parts)
  call.did({ kind: 'course changed', change: 'created', course: course.uuid })
  return { json: success('Course added successfully.') }
}

/** A field that does not come becomes null; templates and images stay. What is required on create is required here too. */
export async function updateCourse(premises: Premises, call: Call): Promise<Reply> {
  const { texts, files } = await courseForm(call, updateTemplateFields)
  const course = courseNamed(premises, call.params.course_uuid ?? '')
  const sheet = readSheet(texts)
  const parts = {
    sheet,
    templates: changedTemplates(course.templates, texts, ''),
    badgeTemplates: changedTemplates(course.badgeTemplates, texts, 'badge_'),
    image: imageIn(files, 'image') ?? course.image,
    certificateImage: imageIn(files, 'course_image_certificate') ?? course.certificateImage,
  }
  checkNumber(premises, sheet.courseNumber, course.uuid)
  premises.courses.change(course, parts)
  call.did({ kind: 'course changed', change: 'updated', course: course.uuid })
  return { json: success('Course details updated successfully.') }
}

async function courseForm({ body }: Call, templateFields: readonly string[]): Promise<Form> {
  if (!(body instanceof RawForm)) throw new Refusal(400, 'Bad request: a course is sent as multipart/form-data.')
  const form = await readForm(body)
  // Refused rather than ignored: a field under a wrong name would be one that silently becomes null.
  for (const name of form.texts.keys()) {
    if (imageFields.includes(name)) throw wrong(name, 'must be a file')
    if (!sheetFieldNames.includes(name) && !templateFields.includes(name))
      throw new Refusal(400, 'Bad request: the form holds a field that is not documented for this call.')
  }
  for (const name of form.files.keys())
    if (!imageFields.includes(name))
      throw new Refusal(400, 'Bad request: the form holds a file that is not documented.')
  return form
}

function checkNumber({ courses }: Premises, number: string, own: string | null): void {
  const taken = courses.all().some((each) => each.uuid !== own && folded(each.number) === folded(number))
  if (taken) throw wrong('courseNumber', 'belongs to another course')
}
