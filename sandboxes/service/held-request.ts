// The courses and requests, with their true status, that the sandbox shows to tests and commands. Pure.

import type { AuditState } from './audit.ts'
import type { CourseRecord } from './course.ts'
import { type CredentialRequest, statusAt } from './credential-request.ts'
import type { Fields } from './read-body.ts'
import type { SandboxSettings } from './settings.ts'

export interface SandboxCourse {
  uuid: string
  number: string
  templateUuid: string
  badgeTemplateUuid: string
  name: string
  /** Whether the course accepts invitations, because it is approved and enabled. */
  canIssue: boolean
  /** The column for the recipients' images in an upload's sheet; null if the template shows no image. */
  imageColumn: string | null
}

/**
 * A credential request in its current state. `course` is a uuid; credentialId is null until the credential is issued.
 */
export interface HeldRequest {
  course: string
  student: Fields
  /** SHA-256 (hex) of the recipient's image in an upload. */
  image: string | null
  entityUuid: string
  credentialId: string | null
  /** issued_status_id. */
  status: number
  at: Date
  revokedAt: Date | null
}

export function courseCard(course: CourseRecord, status: AuditState): SandboxCourse {
  return {
    uuid: course.uuid,
    number: course.number,
    templateUuid: course.templates[0].uuid,
    badgeTemplateUuid: course.badgeTemplates[0].uuid,
    name: course.name,
    canIssue: status.approval === 2 && course.enabled,
    imageColumn: course.imageColumn,
  }
}

export function heldCopy(
  request: CredentialRequest,
  settings: SandboxSettings,
  nowMs: number,
  revokedAt: Date | null,
): HeldRequest {
  const status = statusAt(request, settings.pace, nowMs)
  return {
    course: request.course.uuid,
    student: structuredClone(request.student),
    image: request.image,
    entityUuid: request.outcome.entityUuid,
    credentialId: status === 3 ? request.outcome.credentialId : null,
    status,
    at: new Date(request.at),
    revokedAt: revokedAt && new Date(revokedAt),
  }
}
