// The links to an issued certificate: one that expires after some minutes, which is only shown, and a public one with the
// page behind it.

import type { SandboxEndpoint } from './call.ts'
import { statusAt } from './credential-request.ts'
import type { WireResponse } from './faults/faulty-response.ts'
import { SandboxRefusal } from './refusal.ts'
import type { Links } from './report-fields.ts'
import type { RouteContext } from './route-context.ts'

const verifierPath = '/sandbox/verify'
/** As documented. */
const linkLifeMs = 3 * 60_000

/** Returns links at the address that the caller used. The first one is another in each answer. */
export function linksFor({ clock }: RouteContext, origin: string): Links {
  const expires = clock.now().getTime() + linkLifeMs
  return {
    certificate: (entityUuid) => `${origin}/sandbox/certificate/${entityUuid}?expires=${expires}`,
    verifier: (credentialId) => `${origin}${verifierPath}/${credentialId}`,
  }
}

/** Needs no token, as a link in an e-mail must not. It is not an endpoint of the API and is not counted. */
export function verifierEndpoint(context: RouteContext): SandboxEndpoint {
  return {
    method: 'GET',
    path: `${verifierPath}/:id`,
    admits: 'anyone',
    answer: ({ params }) => verifierPage(context, params.id ?? ''),
  }
}

function verifierPage({ requests, settings, clock }: RouteContext, id: string): WireResponse {
  const request = requests.find(id)
  const issued = request && statusAt(request, settings.pace, clock.monotonicMs()) === 3
  if (!issued || !requests.hasPublicLink(request))
    throw new SandboxRefusal(404, 'Not found: there is no such public link.')
  const end = requests.revocation(request) ? ', and it was revoked' : ''
  const body = `This sandbox issued a credential for ${request.course.name}${end}.\n`
  return { status: 200, contentType: 'text/plain', body }
}
