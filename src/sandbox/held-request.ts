// What the sandbox shows of itself to whoever opened it: its courses, and its requests as they truly stand.

import type { Course } from './courses.ts'
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
}

export function courseCard(course: Course): SandboxCourse {
  return {
    uuid: course.uuid,
    number: course.number,
    templateUuid: course.templates[0].uuid,
    badgeTemplateUuid: course.badgeTemplates[0].uuid,
    name: course.name,
    canIssue: course.approvalStatus === 2 && course.enabled,
  }
}

export function heldCopy(request: CredentialRequest, settings: SandboxSettings, nowMs: number): HeldRequest {
  const status = statusAt(request, settings.pace, nowMs)
  return {
    course: request.course.uuid,
    student: structuredClone(request.student),
    image: request.image,
    entityUuid: request.fate.entityUuid,
    credentialId: status === 3 ? request.fate.credentialId : null,
    status,
    at: new Date(request.at),
  }
}
