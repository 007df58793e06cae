// Builds the JSON body of an invitation before it is sent, with a hash that proves later what was sent. Pure.

import { createHash } from 'node:crypto'
import type { BytesBody } from '../http/exchange.ts'

export interface InvitationRequest {
  courseUuid: string
  templateUuid: string
  badgeTemplateUuid: string
  /** An undefined option is not sent, so the service's default applies. */
  options?: {
    sendEmail?: boolean | undefined
    attachCertificate?: boolean | undefined
    publicLink?: boolean | undefined
    hideInWallet?: boolean | undefined
    issueToOrganisation?: boolean | undefined
  }
  signatures?: { uuid: string; required: boolean }[]
  /** Sponsor uuids. */
  sponsors?: string[]
  mailTemplateUuid?: string
  /** One record for each recipient, keyed by the display names of the course's field list. */
  students: Record<string, string>[]
}

export interface PreparedInvitation<Body = string | BytesBody> {
  /** JSON text, or a form with a file. Contains personal data. */
  body: Body
  /** SHA-256 of the body's bytes (for text: its UTF-8 bytes), in hex. */
  sha256: string
  /** The number of recipients. */
  students: number
}

/** Builds the body of an invitation. The same request always gives the same bytes. */
export function prepareInvitation(request: InvitationRequest): PreparedInvitation<string> {
  const { options = {}, signatures, sponsors } = request
  const body = JSON.stringify({
    course_uuid: request.courseUuid,
    template_uuid: request.templateUuid,
    badge_template_uuid: request.badgeTemplateUuid,
    is_send_certification_email: options.sendEmail,
    is_attach_certificate: options.attachCertificate,
    is_send_certificate_public_link: options.publicLink,
    is_hide_in_wallet: options.hideInWallet,
    is_certificate_issue_to_organisation: options.issueToOrganisation,
    student: request.students,
    signature: signatures?.map(({ uuid, required }) => ({ uuid, signature_req: required })),
    sponsor: sponsors,
    custom_email_template_uuid: request.mailTemplateUuid,
  })
  return { body, sha256: createHash('sha256').update(body).digest('hex'), students: request.students.length }
}
