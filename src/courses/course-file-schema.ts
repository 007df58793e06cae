// A course as a person writes it: the keys of a course file, their types and their words. docs/courses.md shows them all.

import { z } from 'zod'

// Empty and null are one: "this shall be empty". A key that is left out says nothing.
const orNull = <S extends z.ZodType<string | string[] | null>>(schema: S) =>
  schema.transform((value) => (value === null || value.length === 0 ? null : value)).nullish()

const text = orNull(z.string())
const texts = orNull(z.array(z.string().min(1)))
const number = z
  .union([z.number().transform(String), z.string().regex(/^-?\d+(\.\d+)?$/, 'is not a number')], {
    error: 'is not a number',
  })
  .nullish()
const flag = z.boolean().transform(Number).nullish()

/** `years`, `year` and `YEAR` are one; the wire has the last. */
function unit(...words: readonly string[]) {
  return z
    .string()
    .transform((word) => word.toUpperCase().replace(/S$/, ''))
    .refine((word) => words.includes(word), {
      error: `is not one of ${words.map((word) => `${word.toLowerCase()}s`).join(', ')}`,
    })
    .nullish()
}

const templates = z
  .array(z.string().min(1))
  .refine(
    (list) => list.length > 0,
    'names no template; a course has at least one, and what is left out stays as it is',
  )
  .optional()

const image = z
  .custom<string>((value) => typeof value === 'string' && value !== '', {
    error: (issue) =>
      issue.input === null
        ? 'cannot be emptied by a change; `credsync courses remove-logo` removes one'
        : 'is not the path of an image',
  })
  .optional()

/** What is read is ready for the wire, but for names (which become uuids) and images (which become bytes). */
export const courseFileSchema = z.strictObject({
  name: text,
  number: text,
  certificationBody: text,
  category: text,
  templates,
  badgeTemplates: templates,
  expires: flag,
  validity: number,
  validityUnit: unit('YEAR', 'MONTH'),
  recertification: text,
  public: flag,
  description: text,
  content: text,
  includes: texts,
  competency: text,
  // The service takes one text with commas; a list is how one writes it.
  competencyTags: orNull(z.union([z.string(), z.array(z.string().min(1)).transform((list) => list.join(', '))])),
  certificateDescription: text,
  admissionRequirement: text,
  duration: number,
  durationUnit: unit('HOUR', 'DAY', 'MONTH', 'YEAR'),
  format: text,
  lessons: number,
  price: number,
  currency: text,
  languages: texts,
  modules: texts,
  certificateCourseId: text,
  buyUrl: text,
  partnerName: text,
  partnerUrl: text,
  image,
  certificateImage: image,
  label1: text,
  label2: text,
  label3: text,
  label4: text,
  label5: text,
})

export type CourseFile = z.output<typeof courseFileSchema>
export type CourseKey = keyof CourseFile
