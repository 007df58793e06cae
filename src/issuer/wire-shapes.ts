// zod schemas for the service's answers: envelope, pager, tokens, field list and credential report. Unknown keys are
// kept, because the report of a course may have more columns than are documented.

import { z } from 'zod'
import { boundary, flag, numberOrNull, text } from './lenient-schemas.ts'

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

/** The pager is an empty object if the answer has no pages. In two of the lists, sortBy is called sortField. */
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
/** A row of the credential report: every documented key as text or null, further keys unchanged. */
export type ReportItem = z.infer<typeof reportItemShape>
