// An LTI platform on loopback whose Assignment and Grade Services behave like those of a real Moodle 4.5, with settings
// for the behavior of other platforms.

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importSPKI, jwtVerify } from 'jose'
import { onTestFinished } from 'vitest'
import { Secret } from '#src/platform/secret.ts'

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface ReceivedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

interface Grade {
  score: number
  maximum: number
  comment: string
  atSeconds: number
}

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const toolKey = new Secret(keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
export const toolPublicKey = keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
export const clientId = 'aKOUN1Xw1tjOtYl'

/** A learner who exists on the platform and is enrolled. */
export const learner = '3'

export type Platform = Awaited<ReturnType<typeof openPlatform>>

export async function openPlatform({ now, audience }: { now: () => Date; audience?: string }) {
  const key = await importSPKI(toolPublicKey, 'RS256')
  const grades = new Map<string, Grade>()
  const requests: ReceivedRequest[] = []
  const tokens = new Set<string>()
  const usedIds = new Set<unknown>()
  const behavior = {
    /** Scopes granted to this tool. */
    scopes: ['lineitem.readonly', 'score', 'result.readonly'],
    expiresIn: 3_600 as number | string | undefined,
    /** Responses that replace the platform's own, for the first matching requests; null passes a request through. */
    replacements: [] as { request: RegExp; reply: Reply | null | 'silence' }[],
    /** How many scores are accepted without a response. */
    responsesToLose: 0,
    /** Called as soon as a score is accepted. */
    onScoreAccepted: (_kept: Grade) => {},
    showsComments: true,
    showsTimes: true,
    /** The number of line items on one page. */
    pageSize: 2,
    lineItems: ['Credential (LTI)', 'Second', 'Third', 'Fourth', 'Fifth'],
  }
  let base = ''

  async function tokenReply(body: string): Promise<Reply> {
    const form = new URLSearchParams(body)
    const refuse = (error: string) => ({ status: 400, body: JSON.stringify({ error }) })
    if (form.get('grant_type') !== 'client_credentials') return refuse('unsupported_grant_type')
    try {
      const { payload, protectedHeader } = await jwtVerify(form.get('client_assertion') ?? '', key, {
        algorithms: ['RS256'],
        issuer: clientId,
        subject: clientId,
        audience: audience ?? `${base}/token`,
        requiredClaims: ['iat', 'exp', 'jti'],
        currentDate: now(),
        maxTokenAge: '10m',
      })
      if (usedIds.has(payload.jti) || !protectedHeader.kid) return refuse('invalid_client')
      usedIds.add(payload.jti)
    } catch {
      return refuse('invalid_client')
    }
    const requestedScopes = (form.get('scope') ?? '').split(' ').map((scope) => scope.split('/').at(-1) ?? '')
    const grantedScopes = requestedScopes.filter((scope) => behavior.scopes.includes(scope))
    if (grantedScopes.length === 0) return refuse('invalid_scope')
    const token = `secret-token-${tokens.size + 1}.${grantedScopes.join('.')}`
    tokens.add(token)
    return {
      status: 200,
      body: JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: behavior.expiresIn }),
    }
  }

  function lineItemsReply(url: URL): Reply {
    const from = Number(url.searchParams.get('from') ?? 0)
    const page = behavior.lineItems.slice(from, from + behavior.pageSize).map((label, index) => ({
      id: `${base}/mod/lti/services.php/2/lineitems/${from + index + 5}/lineitem?type_id=1`,
      label,
      scoreMaximum: 100,
      resourceId: '',
      tag: '',
      resourceLinkId: '1',
      ltiLinkId: '1',
    }))
    const next = from + behavior.pageSize
    const link = `<${base}/lineitems?from=0>; rel="first", <${base}/lineitems?type_id=1&from=${next}>; rel="next"`
    return { status: 200, body: JSON.stringify(page), ...(next < behavior.lineItems.length && { headers: { link } }) }
  }

  function scoreReply(body: string): Reply {
    const sent = JSON.parse(body)
    const at = Date.parse(sent.timestamp)
    if (!['3', '4', '5'].includes(sent.userId) || Number.isNaN(at) || typeof sent.scoreGiven !== 'number') {
      return { status: 400, body: '[]' }
    }
    const atSeconds = Math.floor(at / 1_000)
    // As in Moodle, a score in the same second is refused as well.
    if ((grades.get(sent.userId)?.atSeconds ?? Number.NEGATIVE_INFINITY) >= atSeconds)
      return { status: 409, body: '[]' }
    const stored = { score: sent.scoreGiven, maximum: sent.scoreMaximum, comment: sent.comment, atSeconds }
    grades.set(sent.userId, stored)
    behavior.onScoreAccepted(stored)
    return { status: 200 }
  }

  function resultsReply(url: URL): Reply {
    const userIdFilter = url.searchParams.get('user_id')
    const results = [...grades]
      .filter(([userId]) => userId === userIdFilter || !/^\d+$/.test(userIdFilter ?? ''))
      .map(([userId, { score, maximum, comment, atSeconds }]) => ({
        id: `${base}/results?type_id=1&user_id=${userId}`,
        userId,
        resultScore: score,
        resultMaximum: maximum,
        ...(behavior.showsComments && { comment }),
        scoreOf: `${base}/lineitem?type_id=1`,
        ...(behavior.showsTimes && { timestamp: new Date(atSeconds * 1_000).toISOString().replace('.000Z', '+00:00') }),
      }))
    return { status: 200, body: JSON.stringify(results) }
  }

  async function replyTo({ method, path, headers, body }: ReceivedRequest): Promise<Reply> {
    const url = new URL(path, base)
    if (url.pathname === '/token') return tokenReply(body)
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!tokens.has(token)) return { status: 401 }
    const permits = (scope: string) => token.split('.').includes(scope.split('.')[0] ?? '')
    if (url.searchParams.get('type_id') !== '1') return { status: 403 }
    if (url.pathname === '/lineitems') return permits('lineitem') ? lineItemsReply(url) : { status: 403 }
    if (!url.pathname.startsWith('/mod/lti/services.php/2/lineitems/5/lineitem/')) return { status: 404 }
    if (url.pathname.endsWith('/scores') && method === 'POST') {
      if (headers['content-type'] !== 'application/vnd.ims.lis.v1.score+json') return { status: 400 }
      return permits('score') ? scoreReply(body) : { status: 401 }
    }
    return url.pathname.endsWith('/results') && permits('result') ? resultsReply(url) : { status: 403 }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const piece of request) chunks.push(piece)
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(one)
    const index = behavior.replacements.findIndex(({ request: pattern }) => pattern.test(`${one.method} ${one.path}`))
    const replacement = index < 0 ? null : (behavior.replacements.splice(index, 1)[0]?.reply ?? null)
    if (replacement === 'silence') return
    const reply = replacement ?? (await replyTo(one))
    if (reply.status === 200 && one.method === 'POST' && one.path.includes('/scores') && behavior.responsesToLose > 0) {
      behavior.responsesToLose--
      response.destroy()
      return
    }
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  return {
    behavior,
    grades,
    requests,
    base,
    tokenUrl: `${base}/token`,
    lineItems: `${base}/lineitems?type_id=1`,
    lineItem: `${base}/mod/lti/services.php/2/lineitems/5/lineitem?type_id=1`,
    /** Invalidates all tokens. */
    forgetTokens: () => tokens.clear(),
    /** Requests received, as `POST /scores`. */
    calls: () => requests.map(({ method, path }) => `${method} /${path.split('?')[0]?.split('/').at(-1)}`),
  }
}
