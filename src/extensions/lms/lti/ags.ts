// The client for a platform's Assignment and Grade Services (LTI 1.3): lists line items, reads a learner's results, and
// writes scores over the network. It needs no LTI launch.

import type { z } from 'zod'
import type { LmsHttp, LmsRequest, LmsResponse } from '#src/platform/http/http-client.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { classifyLtiFailure, type LtiFailure } from './failure.ts'
import { type LineItem, lineItemShape, lineItemsType, resultsUrl, safeAddress, scoresUrl } from './line-item.ts'
import { type Score, scoreBody, scoreType } from './score.ts'
import { resultShape, resultsType } from './shown-result.ts'
import { readPrivateKey } from './signing-key.ts'
import { type LtiTokens, openLtiTokens } from './tokens.ts'
import { otherHost, walkLtiPages } from './walk-pages.ts'
import { type ScoreReading, type ScoreWriteResult, writeScore } from './write-score.ts'

export interface AgsOptions {
  /** The client id under which the platform registered the tool. */
  clientId: string
  /** The platform's token endpoint; https, or http on this machine. */
  tokenUrl: string
  privateKeyPem: Secret
  /** The platform's id for the key. Default: the key's thumbprint. */
  keyId?: string | undefined
  /** `iss` of the assertion. Default: the client id. */
  issuer?: string | undefined
  /**
   * `aud` of the assertion. Default: the token URL. Brightspace displays a different audience when the tool is
   * registered.
   */
  audience?: string | undefined
  send: LmsHttp['send']
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

export type Ags = ReturnType<typeof openAgs>

const deadlineMs = 30_000

// The scope names of 1EdTech. Listing line items uses a separate token, because a platform that does not allow listing
// still accepts scores.
const scopePrefix = 'https://purl.imsglobal.org/spec/lti-ags/scope'
const listingScope = `${scopePrefix}/lineitem.readonly`
const gradingScopes = `${scopePrefix}/score ${scopePrefix}/result.readonly`

interface List {
  scope: string
  accept: string
  /** What the list is called in messages. */
  what: string
}
const lineItemsList: List = { scope: listingScope, accept: lineItemsType, what: 'a list of line items' }
const resultsList: List = { scope: gradingScopes, accept: resultsType, what: 'a list of results' }

/** @throws LtiKeyError for a key that cannot sign, and RangeError for an unsafe token URL */
export function openAgs({ privateKeyPem, send, clock, ...options }: AgsOptions) {
  const { clientId, tokenUrl } = options
  if (!safeAddress(tokenUrl))
    throw new RangeError('The token URL for LTI must begin with https:// and must not contain a password.')
  const signer = {
    ...options,
    key: readPrivateKey(privateKeyPem),
    issuer: options.issuer ?? clientId,
    audience: options.audience ?? tokenUrl,
  }
  const session = { tokens: openLtiTokens({ tokenUrl, signer, send, clock, deadlineMs }), send }

  /** Reads all pages of a list. */
  const readList = <Shape extends z.ZodType>(url: string, shape: Shape, { scope, accept, what }: List) =>
    walkLtiPages(url, shape, what, (page) =>
      callWithToken(session, scope, { method: 'GET', url: page, headers: { accept }, deadlineMs }),
    )
  const failureOf = (read: LmsResponse | LtiFailure, url: string): LtiFailure =>
    read.kind === 'answer' || read.kind === 'failed' ? classifyLtiFailure(read, url, clock.now()) : read

  async function readResults(lineItem: URL, userId: string): Promise<ScoreReading> {
    const url = resultsUrl(lineItem, userId)
    const read = await readList(url, resultShape, resultsList)
    // Not every platform filters by user_id: Moodle ignores a value that is not a number.
    if (read.kind === 'items') return { kind: 'results', results: read.items.filter((item) => item.userId === userId) }
    if (read.kind === 'answer' && [401, 403, 404, 405, 501].includes(read.status)) return { kind: 'hidden' }
    return failureOf(read, url)
  }

  return {
    /**
     * Lists the tool's line items in one course, from all pages. `url` is the platform's `lineitems` URL for that
     * course.
     */
    async lineItems(url: string): Promise<{ kind: 'items'; items: LineItem[] } | LtiFailure> {
      const platformUrl = safeAddress(url)
      if (!platformUrl) return unsafeLineItemAddress
      const read = await readList(url, lineItemShape, lineItemsList)
      if (read.kind !== 'items') return failureOf(read, url)
      const isOwn = read.items.every((item) => safeAddress(item.url)?.origin === platformUrl.origin)
      return isOwn ? read : otherHost(url)
    },
    /** Writes one score, unless the platform already shows it, and reads the result back. */
    async score(lineItemUrl: string, score: Score): Promise<ScoreWriteResult> {
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
    /** Requests the token that writing scores needs; writes nothing. */
    async signIn(): Promise<{ kind: 'signed in' } | LtiFailure> {
      const result = await session.tokens.get(gradingScopes)
      return result.kind === 'token' ? { kind: 'signed in' } : result
    },
    /** Reads what the line item shows for one learner. */
    async results(lineItemUrl: string, userId: string): Promise<ScoreReading> {
      const lineItem = safeAddress(lineItemUrl)
      return lineItem ? readResults(lineItem, userId) : unsafeLineItemAddress
    },
  }
}

const unsafeLineItemAddress: LtiFailure = {
  kind: 'refused',
  why: 'The address of a line item must begin with https:// and must not contain a password. Correct `lineItem` in writeBack.',
}

/**
 * Makes one call to the platform with the tool's access token. If the platform rejects the token with 401, it has not
 * processed the call, so the call is repeated once with a new token.
 */
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
