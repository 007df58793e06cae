// What the sandbox shows of itself to whoever opened it: its courses, and its requests as they truly stand.

import type { Standing } from './course/audit.ts'
import type { Course } from './course/course.ts'
import { type CredentialRequest, statusAt } from './credential-request.ts'
import type { Fields } from './read-body.ts'
import type { SandboxSettings } from './settings.ts'

export interface SandboxCourse {
  uuid: string
  number: string
  templateUuid: string
  badgeTemplateUuid: string
  name: string
  /** Whether invitations to it are taken: approved and enabled. */
  canIssue: boolean
  /** The column of its sheet for the recipients' images, where the template shows one. */
  imageColumn: string | null
}

/** A credential request as the sandbox holds it now. `course` is its uuid; credentialId is null until it is issued. */
export interface HeldRequest {
  course: string
  student: Fields
  /** SHA-256 (hex) of the image that came with the recipient in an upload. */
  image: string | null
  entityUuid: string
  credentialId: string | null
  /** issued_status_id. */
  status: number
  at: Date
  revokedAt: Date | null
}

export function courseCard(course: Course, standing: Standing): SandboxCourse {
  return {
    uuid: course.uuid,
    number: course.number,
    templateUuid: course.templates[0].uuid,
    badgeTemplateUuid: course.badgeTemplates[0].uuid,
    name: course.name,
    canIssue: standing.approval === 2 && course.enabled,
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
    entityUuid: request.fate.entityUuid,
    credentialId: status === 3 ? request.fate.credentialId : null,
    status,
    at: new Date(request.at),
    revokedAt: revokedAt && new Date(revokedAt),
  }
}
