// Builds the form body of an invitation with a file, before it is sent. The same request always gives the same bytes.
// Pure.

import type { BytesBody } from '../http/exchange.ts'
import { type FormFile, type FormPart, formBody, sha256Of } from '../http/form-body.ts'
import type { InvitationRequest, PreparedInvitation } from './invitation-body.ts'

/** Has no `options`, because the flags of a JSON invitation are not documented for the upload. */
export interface UploadRequest extends Omit<InvitationRequest, 'options' | 'students'> {
  /** A workbook, or a ZIP that contains a workbook and images. */
  file: FormFile
  /** The number of recipients. */
  students: number
}

/** Builds the body of an upload. Arrays are sent as JSON text in one field, as the course endpoints expect them. */
export function prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody> {
  const { signatures, sponsors, file } = request
  const fields = {
    course_uuid: request.courseUuid,
    template_uuid: request.templateUuid,
    badge_template_uuid: request.badgeTemplateUuid,
    signature:
      signatures &&
      JSON.stringify(signatures.map((signature) => ({ uuid: signature.uuid, signature_req: signature.required }))),
    sponsor: sponsors && JSON.stringify(sponsors),
    custom_email_template_uuid: request.mailTemplateUuid,
    file,
  }
  const parts = Object.entries(fields).filter((part): part is [string, string | FormFile] => part[1] !== undefined)
  const body = formBody(parts satisfies FormPart[])
  return { body, sha256: sha256Of(body.bytes), students: request.students }
}
