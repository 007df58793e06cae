// Links to an issued certificate: one that dies after some minutes, and a public one that stays.

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
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
  return createHash('sha256').update(`${seed} link ${entityUuid} ${expires}`).digest('hex').slice(0, 32)
}

/** Serves both links without a token, as links in an e-mail must be. They are not endpoints of the API and not counted. */
export function addLinkRoutes(app: FastifyInstance, premises: Premises): void {
  const { settings, clock } = premises

  app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(`${files}/:id`, async (request, reply) => {
    const issued = issuedCourse(premises, request.params.id)
    const expires = Number(request.query.expires)
    const genuine = request.query.signature === sign(settings.seed, request.params.id, expires)
    if (!genuine || clock.now().getTime() >= expires) throw new Refusal(403, 'This link is too old or was changed.')
    return reply.type('text/plain').send(`Sandbox certificate: ${issued}\n`)
  })

  app.get<{ Params: { id: string } }>(`${verifier}/:id`, async (request, reply) => {
    const issued = issuedCourse(premises, request.params.id)
    return reply.type('text/plain').send(`This sandbox issued a credential for ${issued}.\n`)
  })
}

function issuedCourse({ requests, settings, clock }: Premises, id: string): string {
  const request = requests.find(id)
  const issued = request && statusAt(request, settings.pace, clock.monotonicMs()) === 3
  if (!issued) throw new Refusal(404, 'Not found: there is no such credential.')
  return request.course.name
}
