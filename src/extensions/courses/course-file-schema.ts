// The schema of a course file: its keys and their types. docs/courses.md describes every key. Pure.

import { z } from 'zod'

// Empty and null both mean that the field is to be empty. A key that is left out changes nothing.
const orNull = <S extends z.ZodType<string | string[] | null>>(schema: S) =>
  schema.transform((value) => (value === null || value.length === 0 ? null : value)).nullish()

const text = orNull(z.string())
const strings = orNull(z.array(z.string().min(1)))
const number = z
  .union([z.number().transform(String), z.string().regex(/^-?\d+(\.\d+)?$/, 'is not a number')], {
    error: 'is not a number',
  })
  .nullish()
const flag = z.boolean().transform(Number).nullish()

/** Accepts `years`, `year` and `YEAR`; the service expects `YEAR`. */
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
    'names no template; a course has at least one, and a key that is left out changes nothing',
  )
  .optional()

const image = z
  .custom<string>((value) => typeof value === 'string' && value !== '', {
    error: (issue) =>
      issue.input === null
        ? 'cannot be emptied by a change; `credsync courses remove-logo` removes an image'
        : 'is not the path of an image',
  })
  .optional()

/**
 * The parsed values are ready to send, except names, which must be resolved to uuids, and images, which must be read.
 */
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
  includes: strings,
  competency: text,
  // The service expects one string with commas; a course file may also have a list.
  competencyTags: orNull(z.union([z.string(), z.array(z.string().min(1)).transform((list) => list.join(', '))])),
  certificateDescription: text,
  admissionRequirement: text,
  duration: number,
  durationUnit: unit('HOUR', 'DAY', 'MONTH', 'YEAR'),
  format: text,
  lessons: number,
  price: number,
  currency: text,
  languages: strings,
  modules: strings,
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
