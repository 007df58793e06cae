// What can be done with an issued credential: download it, and revoke it.

import type { Call, Endpoint, Reply } from './call.ts'
import { credentialFile } from './credential-file.ts'
import { statusAt } from './credential-request.ts'
import { success } from './envelope.ts'
import type { Premises } from './premises.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'

export function credentialEndpoints(premises: Premises): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/api/certification/v1/certificate/downloadCertificate/:id',
      admits: 'bearers',
      answer: ({ params }) => credentialFile(premises, params.id ?? ''),
    },
    {
      method: 'POST',
      path: '/api/institute/v1/certificate/revoke',
      admits: 'bearers',
      answer: (call) => revoke(premises, call),
    },
  ]
}

// A second revocation is refused: whoever repeats a call should learn that the first one came through.
function revoke({ requests, settings, clock }: Premises, { body, did }: Call): Reply {
  const id = requiredText(fieldsOf(body), 'credential_id')
  const request = requests.find(id)
  // An entity uuid finds a request too, but is no credential_id.
  if (!request || request.fate.credentialId !== id) throw new Refusal(404, 'Not found: there is no such credential.')
  if (statusAt(request, settings.pace, clock.monotonicMs()) !== 3)
    throw new Refusal(400, 'Bad request: the credential is not issued.')
  if (!requests.revoke(request)) throw new Refusal(400, 'Bad request: the credential is revoked already.')
  did({ kind: 'revoked', request: request.fate.entityUuid })
  return { json: success('Credential revoked successfully.') }
}
