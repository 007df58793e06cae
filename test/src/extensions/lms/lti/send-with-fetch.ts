// Sends requests with Node's fetch, with a deadline and without redirects.

import type { LmsHttp } from '#src/platform/http/http-client.ts'

export const send: LmsHttp['send'] = async ({ method, url, headers, body, deadlineMs }) => {
  try {
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
      ...(body !== undefined && { body }),
    })
    return {
      kind: 'answer',
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null
    const code = cause && 'code' in cause ? String(cause.code) : 'DEADLINE'
    return { kind: 'failed', code, sent: code !== 'ECONNREFUSED' }
  }
}
