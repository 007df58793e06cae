// Links to an issued certificate: one that dies after some minutes, and a public one that stays.

import { hash } from 'node:crypto'
import type { Call, Endpoint } from './call.ts'
import { credentialFile } from './credential-file.ts'
import { statusAt } from './credential-request.ts'
import type { WireAnswer } from './mischief/spoiled-answer.ts'
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
    { ...door, path: `${files}/:id`, answer: (call) => certificate(premises, call) },
    { ...door, path: `${verifier}/:id`, answer: ({ params }) => verified(premises, params.id ?? '') },
  ]
}

function certificate(premises: Premises, { params: { id = '' }, query }: Call): WireAnswer {
  const { settings, clock } = premises
  const file = credentialFile(premises, id)
  const expires = Number(query.expires)
  const genuine = query.signature === sign(settings.seed, id, expires)
  if (!genuine || clock.now().getTime() >= expires) throw new Refusal(403, 'This link is too old or was changed.')
  return file
}

function verified({ requests, settings, clock }: Premises, id: string): WireAnswer {
  const request = requests.find(id)
  const issued = request && statusAt(request, settings.pace, clock.monotonicMs()) === 3
  if (!issued) throw new Refusal(404, 'Not found: there is no such credential.')
  const end = requests.revocation(request) ? ', and it was revoked' : ''
  const body = `This sandbox issued a credential for ${request.course.name}${end}.\n`
  return { status: 200, contentType: 'text/plain', body }
}
