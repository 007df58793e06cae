// The invitation as a form with a file, made once and before the send like its JSON sister; the same request gives the same bytes.

import type { BytesBody } from './exchange.ts'
import { type FormFile, type FormPart, formBody, sha256Of } from './form-body.ts'
import type { InvitationRequest, PreparedInvitation } from './invitation-body.ts'

/** The flags of a JSON invitation are not documented for the upload, so there is no place for them here. */
export interface UploadRequest extends Omit<InvitationRequest, 'options' | 'students'> {
  /** A workbook, or a ZIP of one with images. */
  file: FormFile
  /** How many recipients it names. */
  students: number
}

/** Writes the body of an upload. Arrays travel as JSON text in a field, as the course endpoints of the service want theirs. */
export function prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody> {
  const { signatures, sponsors, file } = request
  const fields = {
    course_uuid: request.courseUuid,
    template_uuid: request.templateUuid,
    badge_template_uuid: request.badgeTemplateUuid,
    signature:
      signatures && JSON.stringify(signatures.map((each) => ({ uuid: each.uuid, signature_req: each.required }))),
    sponsor: sponsors && JSON.stringify(sponsors),
    custom_email_template_uuid: request.mailTemplateUuid,
    file,
  }
  const said = Object.entries(fields).filter((part): part is [string, string | FormFile] => part[1] !== undefined)
  const body = formBody(said satisfies FormPart[])
  return { body, sha256: sha256Of(body.bytes), students: request.students }
}
