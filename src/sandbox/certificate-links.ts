// Links to an issued certificate: one that dies after some minutes, and a public one that stays.

import { hash } from 'node:crypto'
import type { Call, Endpoint } from './call.ts'
import { statusAt } from './credential-request.ts'
import type { Premises } from './premises.ts'
import { Refusal } from './refusal.ts'
import type { Links } from './report-fields.ts'

const files = '/sandbox/certificate'
const verifier = '/sandbox/verify'

/** Links as they would be given out now, on the address under which the caller reached the sandbox. */
export function linksFor({ settings, clock }: Premises, origin: string): Links {
  const expires = clock.now().getTime() + settings.linkLifeMs
  return {
    certificate: (entityUuid) =>
      `${origin}${files}/${entityUuid}?expires=${expires}&signature=${sign(settings.seed, entityUuid, expires)}`,
    verifier: (credentialId) => `${origin}${verifier}/${credentialId}`,
  }
}

// Signed, so that a link's life cannot be lengthened by editing it: a client that tries should fail here already.
function sign(seed: string, entityUuid: string, expires: number): string {
  return hash('sha256', `${seed} link ${entityUuid} ${expires}`).slice(0, 32)
}

/** Both links, without a token, as links in an e-mail must be. They are not endpoints of the API and not counted. */
export function linkEndpoints(premises: Premises): Endpoint[] {
  const door = { method: 'GET', admits: 'anybody' } as const
  return [
    { ...door, path: `${files}/:id`, answer: (call) => text(certificate(premises, call)) },
    {
      ...door,
      path: `${verifier}/:id`,
      answer: ({ params }) =>
        text(`This sandbox issued a credential for ${issuedCourse(premises, params.id ?? '')}.\n`),
    },
  ]
}

const text = (body: string) => ({ status: 200, contentType: 'text/plain', body })

function certificate(premises: Premises, { params: { id = '' }, query }: Call): string {
  const { settings, clock } = premises
  const issued = issuedCourse(premises, id)
  const expires = Number(query.expires)
  const genuine = query.signature === sign(settings.seed, id, expires)
  if (!genuine || clock.now().getTime() >= expires) throw new Refusal(403, 'This link is too old or was changed.')
  return `Sandbox certificate: ${issued}\n`
}

function issuedCourse({ requests, settings, clock }: Premises, id: string): string {
  const request = requests.find(id)
  const issued = request && statusAt(request, settings.pace, clock.monotonicMs()) === 3
  if (!issued) throw new Refusal(404, 'Not found: there is no such credential.')
  return request.course.name
}
