// The client for a platform's Assignment and Grade Services (LTI 1.3): lists line items, reads a learner's results, and
// writes scores over the network. It needs no LTI launch.

import type { LmsHttp, LmsRequest, LmsResponse } from '#src/platform/http/http-client.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { classifyLtiFailure, type LtiFailure } from './failure.ts'
import { type LineItem, lineItemShape, lineItemsType, resultsUrl, safeAddress, scoresUrl } from './line-item.ts'
import { type Score, scoreBody, scoreType } from './score.ts'
import { resultShape, resultsType } from './shown-result.ts'
import { readPrivateKey } from './signing-key.ts'
import { type LtiTokens, openLtiTokens } from './tokens.ts'
import { walkLtiPages } from './walk-pages.ts'
import { type ScoreReading, type ScoreWriteResult, writeScore } from './write-score.ts'

export interface AgsOptions {
  /** The client id under which the platform registered the tool. */
  clientId: string
  /** The platform's token endpoint; https, or http on this machine. */
  tokenUrl: string
  privateKeyPem: Secret
  /** The platform's id for the key. Default: the key's thumbprint. */
  keyId?: string
  /** `iss` of the assertion. Default: the client id. */
  issuer?: string
  /**
   * `aud` of the assertion. Default: the token URL. Brightspace displays a different audience when the tool is
   * registered.
   */
  audience?: string
  send: LmsHttp['send']
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

export interface Ags {
  /**
   * Lists the tool's line items in one course, from all pages. `url` is the platform's `lineitems` URL for that course.
   */
  lineItems(url: string): Promise<{ kind: 'items'; items: LineItem[] } | LtiFailure>
  /** Writes one score, unless the platform already shows it, and reads the result back. */
  score(lineItemUrl: string, score: Score): Promise<ScoreWriteResult>
  /** Requests the token that writing scores needs; writes nothing. */
  signIn(): Promise<{ kind: 'signed in' } | LtiFailure>
  /** Reads what the line item shows for one learner. */
  results(lineItemUrl: string, userId: string): Promise<ScoreReading>
}

const deadlineMs = 30_000

// The scope names of 1EdTech. Listing line items uses a separate token, because a platform that does not allow listing
// still accepts scores.
const scopePrefix = 'https://purl.imsglobal.org/spec/lti-ags/scope'
const listingScope = `${scopePrefix}/lineitem.readonly`
const gradingScopes = `${scopePrefix}/score ${scopePrefix}/result.readonly`

/** @throws LtiKeyError for a key that cannot sign, and RangeError for an unsafe token URL */
export function openAgs(options: AgsOptions): Ags {
  const { clientId, tokenUrl, keyId, issuer, audience, send, clock, random } = options
  if (!safeAddress(tokenUrl))
    throw new RangeError('The token URL for LTI must begin with https:// and must not contain a password.')
  const key = readPrivateKey(options.privateKeyPem)
  const signer = {
    clientId,
    audience: audience ?? tokenUrl,
    key,
    random,
    ...(keyId !== undefined && { keyId }),
    ...(issuer !== undefined && { issuer }),
  }
  const session = { tokens: openLtiTokens({ tokenUrl, signer, send, clock, deadlineMs }), send }
  const getterFor = (scope: string, accept: string) => (url: string) =>
    callWithToken(session, scope, { method: 'GET', url, headers: { accept }, deadlineMs })

  async function readResults(lineItem: URL, userId: string): Promise<ScoreReading> {
    const url = resultsUrl(lineItem, userId)
    const pages = await walkLtiPages(url, resultShape, 'a list of results', getterFor(gradingScopes, resultsType))
    // Not every platform filters by user_id: Moodle ignores a value that is not a number.
    if (pages.kind === 'items')
      return { kind: 'results', results: pages.items.filter((item) => item.userId === userId) }
    if (pages.kind === 'answer' && [401, 403, 404, 405, 501].includes(pages.status)) return { kind: 'hidden' }
    return pages.kind === 'answer' || pages.kind === 'failed' ? classifyLtiFailure(pages, url, clock.now()) : pages
  }

  return {
    async lineItems(url) {
      const platformUrl = safeAddress(url)
      if (!platformUrl) return unsafeLineItemAddress
      const pages = await walkLtiPages(
        url,
        lineItemShape,
        'a list of line items',
        getterFor(listingScope, lineItemsType),
      )
      if (pages.kind === 'items') {
        return pages.items.every((item) => safeAddress(item.url)?.origin === platformUrl.origin)
          ? pages
          : otherHost(platformUrl.host)
      }
      return pages.kind === 'answer' || pages.kind === 'failed' ? classifyLtiFailure(pages, url, clock.now()) : pages
    },
    async score(lineItemUrl, score) {
      const lineItem = safeAddress(lineItemUrl)
      if (!lineItem) return unsafeLineItemAddress
      const postScore = () =>
        callWithToken(session, gradingScopes, {
          method: 'POST',
          url: scoresUrl(lineItem),
          headers: { 'content-type': scoreType },
          body: scoreBody(score),
          deadlineMs,
        })
      const calls = { readResults: () => readResults(lineItem, score.userId), postScore }
      return writeScore(score, calls, lineItemUrl, () => clock.now())
    },
    async signIn() {
      const result = await session.tokens.get(gradingScopes)
      return result.kind === 'token' ? { kind: 'signed in' } : result
    },
    async results(lineItemUrl, userId) {
      const lineItem = safeAddress(lineItemUrl)
      return lineItem ? readResults(lineItem, userId) : unsafeLineItemAddress
    },
  }
}

const unsafeLineItemAddress: LtiFailure = {
  kind: 'refused',
  why: 'The address of a line item must begin with https:// and must not contain a password. Correct `lineItem` in writeBack.',
}

function otherHost(host: string): LtiFailure {
  return {
    kind: 'refused',
    why: `${host} lists line items on another host, where no token is sent. Ask the platform's administrator to check the site address in the platform's settings.`,
  }
}

// Makes one call to the platform with the tool's access token, and repeats the call once with a new token if the
// platform rejects the first token.

/** A platform that returns 401 has not processed the call, so the call may be repeated. */
async function callWithToken(
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
