// The shapes in which the service speaks. Keys we don't know are kept; numbers written as text are read where harmless.

import { z } from 'zod'

/** Text or null; a number is taken as its text (register numbers come both ways). */
const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null)

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** A number, also when written as text; anything else that may stand in its place (null, empty, a word) is null. */
const numberOrNull = z.unknown().optional().transform(asNumber)

/** The least or greatest value of a field: documented as a number, but it stands on date fields, so a date is kept too. */
const boundary = z
  .unknown()
  .optional()
  .transform((value) => asNumber(value) ?? (typeof value === 'string' && value.trim() ? value : null))

/** A yes or no, also as 1 and 0 or as words; empty is no. Not z.coerce: that reads the word "false" as true. */
const no = z.literal('').transform(() => false)
const flag = z.union([z.boolean(), z.number().transform((n) => n !== 0), no, z.stringbool()]).nullish()

const status = z.union([
  z.number().int(),
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
])

export const envelopeShape = z.looseObject({
  status,
  message: text,
  payload: z.unknown().optional(),
  pager: z.unknown().optional(),
})
export type Envelope = z.infer<typeof envelopeShape>

/** An empty object when the answer has no pages. sortField is what two of the lists call sortBy. */
export const pagerShape = z
  .looseObject({
    pageNumber: numberOrNull,
    recordsPerPage: numberOrNull,
    filteredRecords: numberOrNull,
    totalRecords: numberOrNull,
    sortBy: text,
    sortField: text,
    sortOrder: text,
  })
  .transform(({ sortField, ...pager }) => ({ ...pager, sortBy: pager.sortBy ?? sortField }))
export type Pager = z.infer<typeof pagerShape>

export const tokensShape = z.looseObject({ accessToken: z.string().min(1), refreshToken: text })

export const fieldShape = z.looseObject({
  name: text,
  display_name: text,
  type: text,
  input_type: text,
  required: flag,
  unique: flag,
  regex: text,
  sample_value: text,
  max_length: numberOrNull,
  min: boundary,
  max: boundary,
})
export const fieldListShape = z.record(z.string(), fieldShape)

const templateShape = z.looseObject({ template_uuid: text, template_name: text })
const templates = z
  .array(templateShape)
  .nullish()
  .transform((list) => list ?? [])

/** What the list and the detail of a course both show. */
const courseKeys = {
  course_uuid: text,
  course_name: text,
  course_number: text,
  is_active: numberOrNull,
  approval_status_id: numberOrNull,
  audit_status_id: numberOrNull,
}

export const courseDetailShape = z.looseObject({
  ...courseKeys,
  templateDetails: templates,
  badgeTemplateDetail: templates,
})
/** A course with the keys we use in readable form, and all others as they came. */
export type CourseDetail = z.infer<typeof courseDetailShape>

export const courseListItemShape = z.looseObject(courseKeys)
export type CourseListItem = z.infer<typeof courseListItemShape>

export const reportItemShape = z.looseObject({
  name: text,
  fname: text,
  lname: text,
  email_: text,
  contact_number: text,
  batch_name: text,
  certificate_name: text,
  issued_status: text,
  issue_date: text,
  valid_till: text,
  revoked_date: text,
  request_date: text,
  target_hash: text,
  certificate_path: text,
  entity_uuid: text,
  credential_id: text,
  reg_no: text,
  uid: text,
  cert_no: text,
  unique_no: text,
  public_verifier_link: text,
  membership_id: text,
})
/** A row of the credential report: every documented key as text or null, further keys as they came. */
export type ReportItem = z.infer<typeof reportItemShape>
