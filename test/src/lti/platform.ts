// A learning platform on loopback, with the manners of a real Moodle 4.5 in its Assignment and Grade Services, and knobs for those of others.

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importSPKI, jwtVerify } from 'jose'
import { onTestFinished } from 'vitest'
import { Secret } from '#src/secret/secret.ts'

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface Arrived {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

interface Kept {
  score: number
  maximum: number
  comment: string
  atSeconds: number
}

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const toolKey = new Secret(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
export const toolPublicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
export const clientId = 'aKOUN1Xw1tjOtYl'

/** One that the platform knows and that is enrolled. */
export const learner = '3'

export type Platform = Awaited<ReturnType<typeof openPlatform>>

export async function openPlatform({ now, audience }: { now: () => Date; audience?: string }) {
  const key = await importSPKI(toolPublicKey, 'RS256')
  const grades = new Map<string, Kept>()
  const arrived: Arrived[] = []
  const tokens = new Set<string>()
  const usedIds = new Set<unknown>()
  const knobs = {
    /** Scopes that this tool may have. */
    scopes: ['lineitem.readonly', 'score', 'result.readonly'],
    expiresIn: 3_600 as number | string | undefined,
    /** Answers instead of the platform's own, for the first fitting requests; null lets one through. */
    instead: [] as { of: RegExp; reply: Reply | null | 'silence' }[],
    /** Takes scores and loses the answer. */
    loseAnswers: 0,
    /** Done as soon as a score was taken. */
    onTaken: (_kept: Kept) => {},
    showsComments: true,
    showsTimes: true,
    /** Line items on one page. */
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
    const asked = (form.get('scope') ?? '').split(' ').map((scope) => scope.split('/').at(-1) ?? '')
    const given = asked.filter((scope) => knobs.scopes.includes(scope))
    if (given.length === 0) return refuse('invalid_scope')
    const token = `secret-token-${tokens.size + 1}.${given.join('.')}`
    tokens.add(token)
    return {
      status: 200,
      body: JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: knobs.expiresIn }),
    }
  }

  function lineItemsReply(url: URL): Reply {
    const from = Number(url.searchParams.get('from') ?? 0)
    const page = knobs.lineItems.slice(from, from + knobs.pageSize).map((label, index) => ({
      id: `${base}/mod/lti/services.php/2/lineitems/${from + index + 5}/lineitem?type_id=1`,
      label,
      scoreMaximum: 100,
      resourceId: '',
      tag: '',
      resourceLinkId: '1',
      ltiLinkId: '1',
    }))
    const next = from + knobs.pageSize
    const link = `<${base}/lineitems?from=0>; rel="first", <${base}/lineitems?type_id=1&from=${next}>; rel="next"`
    return { status: 200, body: JSON.stringify(page), ...(next < knobs.lineItems.length && { headers: { link } }) }
  }

  function scoreReply(body: string): Reply {
    const told = JSON.parse(body)
    const at = Date.parse(told.timestamp)
    if (!['3', '4', '5'].includes(told.userId) || Number.isNaN(at) || typeof told.scoreGiven !== 'number') {
      return { status: 400, body: '[]' }
    }
    const atSeconds = Math.floor(at / 1_000)
    // As Moodle does it: an equal second is refused too.
    if ((grades.get(told.userId)?.atSeconds ?? Number.NEGATIVE_INFINITY) >= atSeconds)
      return { status: 409, body: '[]' }
    const kept = { score: told.scoreGiven, maximum: told.scoreMaximum, comment: told.comment, atSeconds }
    grades.set(told.userId, kept)
    knobs.onTaken(kept)
    return { status: 200 }
  }

  function resultsReply(url: URL): Reply {
    const wanted = url.searchParams.get('user_id')
    const results = [...grades]
      .filter(([userId]) => userId === wanted || !/^\d+$/.test(wanted ?? ''))
      .map(([userId, { score, maximum, comment, atSeconds }]) => ({
        id: `${base}/results?type_id=1&user_id=${userId}`,
        userId,
        resultScore: score,
        resultMaximum: maximum,
        ...(knobs.showsComments && { comment }),
        scoreOf: `${base}/lineitem?type_id=1`,
        ...(knobs.showsTimes && { timestamp: new Date(atSeconds * 1_000).toISOString().replace('.000Z', '+00:00') }),
      }))
    return { status: 200, body: JSON.stringify(results) }
  }

  async function replyTo({ method, path, headers, body }: Arrived): Promise<Reply> {
    const url = new URL(path, base)
    if (url.pathname === '/token') return tokenReply(body)
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!tokens.has(token)) return { status: 401 }
    const may = (scope: string) => token.split('.').includes(scope.split('.')[0] ?? '')
    if (url.searchParams.get('type_id') !== '1') return { status: 403 }
    if (url.pathname === '/lineitems') return may('lineitem') ? lineItemsReply(url) : { status: 403 }
    if (!url.pathname.startsWith('/mod/lti/services.php/2/lineitems/5/lineitem/')) return { status: 404 }
    if (url.pathname.endsWith('/scores') && method === 'POST') {
      if (headers['content-type'] !== 'application/vnd.ims.lis.v1.score+json') return { status: 400 }
      return may('score') ? scoreReply(body) : { status: 401 }
    }
    return url.pathname.endsWith('/results') && may('result') ? resultsReply(url) : { status: 403 }
  }

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    }
    arrived.push(one)
    const place = knobs.instead.findIndex(({ of }) => of.test(`${one.method} ${one.path}`))
    const instead = place < 0 ? null : (knobs.instead.splice(place, 1)[0]?.reply ?? null)
    if (instead === 'silence') return
    const reply = instead ?? (await replyTo(one))
    if (reply.status === 200 && one.method === 'POST' && one.path.includes('/scores') && knobs.loseAnswers > 0) {
      knobs.loseAnswers--
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
    knobs,
    grades,
    arrived,
    base,
    tokenUrl: `${base}/token`,
    lineItems: `${base}/lineitems?type_id=1`,
    lineItem: `${base}/mod/lti/services.php/2/lineitems/5/lineitem?type_id=1`,
    /** All tokens are void at once. */
    forgetTokens: () => tokens.clear(),
    /** What came, as `POST /scores`. */
    calls: () => arrived.map(({ method, path }) => `${method} /${path.split('?')[0]?.split('/').at(-1)}`),
  }
}
