// The endpoints for an issued credential: download and revoke.

import type { SandboxCall, SandboxEndpoint, SandboxReply } from './call.ts'
import { credentialFile } from './credential-file.ts'
import { statusAt } from './credential-request.ts'
import { success } from './envelope.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import type { RouteContext } from './route-context.ts'

export function credentialEndpoints(context: RouteContext): SandboxEndpoint[] {
  return [
    {
      method: 'GET',
      path: '/api/certification/v1/certificate/downloadCertificate/:id',
      admits: 'bearers',
      answer: ({ params }) => credentialFile(context, params.id ?? ''),
    },
    {
      method: 'POST',
      path: '/api/institute/v1/certificate/revoke',
      admits: 'bearers',
      answer: (call) => revoke(context, call),
    },
  ]
}

// A second revocation is refused, so that a client that repeats the call can tell that the first one succeeded.
function revoke({ requests, settings, clock }: RouteContext, { body, record }: SandboxCall): SandboxReply {
  const id = requiredText(fieldsOf(body), 'credential_id')
  const request = requests.find(id)
  // An entity uuid also finds a request, but is not a credential_id.
  if (!request || request.outcome.credentialId !== id)
    throw new SandboxRefusal(404, 'Not found: there is no such credential.')
  if (statusAt(request, settings.pace, clock.monotonicMs()) !== 3)
    throw new SandboxRefusal(400, 'Bad request: the credential is not issued.')
  if (!requests.revoke(request)) throw new SandboxRefusal(400, 'Bad request: the credential is already revoked.')
  record({ kind: 'revoked', request: request.outcome.entityUuid })
  return { json: success('Credential revoked successfully.') }
}
