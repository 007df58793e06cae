// One call in the tool's name: with a token, and once more with a new one when the platform does not know the first (any more).

import type { Tokens } from './tokens.ts'
import type { Trouble } from './trouble.ts'
import type { Ask, Heard, Send } from './wire.ts'

/** A call that was answered with 401 was not carried out, so it may be made again. */
export async function callWithToken(
  { tokens, send }: { tokens: Tokens; send: Send },
  scope: string,
  ask: Ask,
): Promise<Heard | Trouble> {
  const first = await tokens.take(scope)
  if (first.kind !== 'token') return first
  const withToken = (text: string): Ask => ({ ...ask, headers: { ...ask.headers, authorization: `Bearer ${text}` } })
  const heard = await send(withToken(first.token.reveal()))
  if (heard.kind !== 'answer' || heard.status !== 401) return heard
  tokens.drop(scope, first.token)
  const second = await tokens.take(scope)
  return second.kind === 'token' ? send(withToken(second.token.reveal())) : second
}
