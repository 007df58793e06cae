// Makes one call to the platform with the tool's access token, and repeats the call once with a new token if the
// platform rejects the first token.

import type { LmsHttp, LmsRequest, LmsResponse } from '#src/platform/http/http-client.ts'
import type { LtiFailure } from './failure.ts'
import type { LtiTokens } from './tokens.ts'

/** A platform that returns 401 has not processed the call, so the call may be repeated. */
export async function callWithToken(
  { tokens, send }: { tokens: LtiTokens; send: LmsHttp['send'] },
  scope: string,
  request: LmsRequest,
): Promise<LmsResponse | LtiFailure> {
  const first = await tokens.get(scope)
  if (first.kind !== 'token') return first
  const withToken = (text: string): LmsRequest => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${text}` },
  })
  const response = await send(withToken(first.token.reveal()))
  if (response.kind !== 'answer' || response.status !== 401) return response
  tokens.drop(scope, first.token)
  const second = await tokens.get(scope)
  return second.kind === 'token' ? send(withToken(second.token.reveal())) : second
}
