// The invitation as a form with a file, made once and before the send like its JSON sister; the same request gives the same bytes.

import { createHash } from 'node:crypto'
import type { BytesBody } from './exchange.ts'
import type { InvitationRequest, PreparedInvitation } from './invitation-body.ts'

export interface UploadFile {
  /** Letters, digits, dots and hyphens: it stands in a header. */
  name: string
  bytes: Buffer
  contentType: string
}

/** The flags of a JSON invitation are not documented for the upload, so there is no place for them here. */
export interface UploadRequest extends Omit<InvitationRequest, 'options' | 'students'> {
  /** A workbook, or a ZIP of one with images. */
  file: UploadFile
  /** How many recipients it names. */
  students: number
}

const lineEnd = '\r\n'

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
  }
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [part(`name="${name}"`, [], Buffer.from(value))],
  )
  parts.push(part(`name="file"; filename="${file.name}"`, [`Content-Type: ${file.contentType}`], file.bytes))
  // Of the content, so that it is the same for the same request, and cannot occur in what it divides.
  const boundary = `credsync-${digest(parts).slice(0, 40)}`
  const divider = Buffer.from(`--${boundary}${lineEnd}`)
  const bytes = Buffer.concat([...parts.flatMap((each) => [divider, each]), Buffer.from(`--${boundary}--${lineEnd}`)])
  const contentType = `multipart/form-data; boundary=${boundary}`
  return { body: { bytes, contentType }, sha256: digest([bytes]), students: request.students }
}

function part(disposition: string, headers: readonly string[], content: Buffer): Buffer {
  const head = [`Content-Disposition: form-data; ${disposition}`, ...headers, '', ''].join(lineEnd)
  return Buffer.concat([Buffer.from(head), content, Buffer.from(lineEnd)])
}

function digest(pieces: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
