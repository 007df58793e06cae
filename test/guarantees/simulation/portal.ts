// Simulates somebody who issues credentials manually in the service's portal, without the worker's knowledge.

import type { SandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import { emailOf } from './source.ts'

export interface Portal {
  /** Issues a credential to each of these people, in their own name or under another one. */
  issue(people: readonly number[], name?: string): Promise<void>
  /** Entity uuids of everything issued here. */
  readonly issuedUuids: ReadonlySet<string>
}

export function openPortal(core: SandboxCore): Portal {
  const issuedUuids = new Set<string>()
  return {
    issuedUuids,
    async issue(people, name) {
      const course = core.courses[0]
      if (!course || people.length === 0) return
      const json = { 'content-type': 'application/json' }
      const given = await core.call({
        method: 'POST',
        path: '/api/public/identity/v1/entityaccess/token',
        headers: json,
        body: JSON.stringify({ key: core.key, secret: core.secret }),
      })
      if (given.lost) throw new Error('The portal has no token.')
      const { accessToken } = JSON.parse(given.body).payload
      const before = core.requests().length
      await core.call({
        method: 'POST',
        path: '/api/certification/v1/quickIssuance/recipients/data/upload',
        headers: { ...json, authorization: `Bearer ${accessToken}` },
        body: JSON.stringify({
          course_uuid: course.uuid,
          template_uuid: course.templateUuid,
          badge_template_uuid: course.badgeTemplateUuid,
          student: people.map((person) => ({
            Email: emailOf(person),
            'First Name': name ?? `Ada${person}`,
            'Last Name': 'Lovelace',
            'Primary Value': 'Email',
          })),
        }),
      })
      for (const request of core.requests().slice(before)) issuedUuids.add(request.entityUuid)
    },
  }
}
