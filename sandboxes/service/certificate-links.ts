// The links to an issued certificate, one that expires after some minutes and a public one that does not, and the
// endpoints behind them.

import { hash } from 'node:crypto'
import type { SandboxCall, SandboxEndpoint } from './call.ts'
import { credentialFile } from './credential-file.ts'
import { statusAt } from './credential-request.ts'
import type { WireResponse } from './faults/faulty-response.ts'
import { SandboxRefusal } from './refusal.ts'
import type { Links } from './report-fields.ts'
import type { RouteContext } from './route-context.ts'

const filePath = '/sandbox/certificate'
const verifierPath = '/sandbox/verify'

/** Returns links that are valid from now on, at the address that the caller used. */
export function linksFor({ settings, clock }: RouteContext, origin: string): Links {
  const expires = clock.now().getTime() + settings.linkLifeMs
  return {
    certificate: (entityUuid) =>
      `${origin}${filePath}/${entityUuid}?expires=${expires}&signature=${sign(settings.seed, entityUuid, expires)}`,
    verifier: (credentialId) => `${origin}${verifierPath}/${credentialId}`,
  }
}

// The signature prevents clients from extending the lifetime of a link by editing it; the real service would prevent
// this too.
function sign(seed: string, entityUuid: string, expires: number): string {
  return hash('sha256', `${seed} link ${entityUuid} ${expires}`).slice(0, 32)
}

/**
 * Both links work without a token, as links in an e-mail must. They are not endpoints of the API and are not counted.
 */
export function linkEndpoints(context: RouteContext): SandboxEndpoint[] {
  const route = { method: 'GET', admits: 'anyone' } as const
  return [
    { ...route, path: `${filePath}/:id`, answer: (call) => certificateFile(context, call) },
    { ...route, path: `${verifierPath}/:id`, answer: ({ params }) => verifierPage(context, params.id ?? '') },
  ]
}

function certificateFile(context: RouteContext, { params: { id = '' }, query }: SandboxCall): WireResponse {
  const { settings, clock } = context
  const file = credentialFile(context, id)
  const expires = Number(query.expires)
  const isGenuine = query.signature === sign(settings.seed, id, expires)
  if (!isGenuine || clock.now().getTime() >= expires)
    throw new SandboxRefusal(403, 'This link has expired or was changed.')
  return file
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
