// The client for a platform's Assignment and Grade Services (LTI 1.3): lists line items, reads a learner's results, and
// writes scores over the network. It needs no LTI launch. A call that fails throws an LtiError.

import type { z } from 'zod'
import type { LmsHttp, LmsRequest, LmsResponse } from '#src/platform/http/http-client.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type LineItem, lineItemShape, lineItemsType, resultsUrl, safeAddress, scoresUrl } from './line-item.ts'
import { LtiError } from './lti-error.ts'
import { otherHost, readAllPages } from './read-all-pages.ts'
import { type Score, scoreBody, scoreType } from './score.ts'
import { resultShape, resultsType, type ShownResult } from './shown-result.ts'
import { readPrivateKey } from './signing-key.ts'
import { openLtiTokens } from './tokens.ts'
import { type ScoreWritten, writeScore } from './write-score.ts'

export interface AgsOptions {
  /** The client id under which the platform registered the tool. */
  clientId: string
  /** The platform's token endpoint; https, or http on this machine. */
  tokenUrl: string
  privateKeyPem: Secret
  /**
   * `aud` of the assertion. Default: the token URL. Brightspace displays a different audience when the tool is
   * registered.
   */
  audience?: string | undefined
  send: LmsHttp['send']
  clock: Clock
}

export type Ags = ReturnType<typeof openAgs>

const deadlineMs = 30_000

// The scope names of 1EdTech. Listing line items uses a separate token, because a platform that does not allow listing
// still accepts scores.
const scopePrefix = 'https://purl.imsglobal.org/spec/lti-ags/scope'
const listingScope = `${scopePrefix}/lineitem.readonly`
const gradingScopes = `${scopePrefix}/score ${scopePrefix}/result.readonly`

/** With these statuses, a platform refuses to show results to this tool. */
const hiddenStatuses: readonly (number | null)[] = [401, 403, 404, 405, 501]

export function openAgs({ clientId, tokenUrl, privateKeyPem, audience = tokenUrl, send, clock }: AgsOptions) {
  requireSafe(tokenUrl)
  const signer = { clientId, audience, key: readPrivateKey(privateKeyPem) }
  const tokens = openLtiTokens({ tokenUrl, signer, send, clock, deadlineMs })

  /**
   * Makes one call with the tool's access token. If the platform rejects the token with 401, it has not processed the
   * call, so the call is repeated once with a new token.
   */
  async function callWithToken(scope: string, { headers, ...request }: LmsRequest): Promise<LmsResponse> {
    const sendWith = (token: Secret) =>
      send({ ...request, headers: { ...headers, authorization: `Bearer ${token.reveal()}` } })
    const token = await tokens.get(scope)
    const response = await sendWith(token)
    if (response.kind !== 'answer' || response.status !== 401) return response
    tokens.drop(scope, token)
    return sendWith(await tokens.get(scope))
  }

  /** @param what names the list in messages */
  const readList = <Shape extends z.ZodType>(
    url: string,
    shape: Shape,
    { scope, accept, what }: { scope: string; accept: string; what: string },
  ) => {
    const get = (page: string) => callWithToken(scope, { method: 'GET', url: page, headers: { accept }, deadlineMs })
    return readAllPages({ first: url, shape, what, get, clock })
  }

  async function readResults(lineItem: URL, userId: string): Promise<ShownResult[] | null> {
    const list = { scope: gradingScopes, accept: resultsType, what: 'a list of results' }
    try {
      const results = await readList(resultsUrl(lineItem, userId), resultShape, list)
      // Not every platform filters by user_id: Moodle ignores a value that is not a number.
      return results.filter((result) => result.userId === userId)
    } catch (error) {
      if (error instanceof LtiError && hiddenStatuses.includes(error.status)) return null
      throw error
    }
  }

  return {
    /**
     * Lists the tool's line items in one course, from all pages. `url` is the platform's `lineitems` URL for that
     * course.
     */
    async lineItems(url: string): Promise<LineItem[]> {
      const { origin } = requireSafe(url)
      const list = { scope: listingScope, accept: lineItemsType, what: 'a list of line items' }
      const items = await readList(url, lineItemShape, list)
      if (items.every((item) => safeAddress(item.url)?.origin === origin)) return items
      throw otherHost(url)
    },
    /** Writes one score, unless the platform already shows it, and reads the result back. */
    async score(lineItemUrl: string, score: Score): Promise<ScoreWritten> {
      const lineItem = requireSafe(lineItemUrl)
      return writeScore(score, {
        url: lineItemUrl,
        now: () => clock.now(),
        readResults: () => readResults(lineItem, score.userId),
        post: () =>
          callWithToken(gradingScopes, {
            method: 'POST',
            url: scoresUrl(lineItem),
            headers: { 'content-type': scoreType },
            body: scoreBody(score),
            deadlineMs,
          }),
      })
    },
    /** Requests the token that writing scores needs; writes nothing. */
    signIn: async () => void (await tokens.get(gradingScopes)),
    /** Reads what the line item shows for one learner; null if the platform does not let this tool see results. */
    results: async (lineItemUrl: string, userId: string) => readResults(requireSafe(lineItemUrl), userId),
  }
}

/** @throws LtiError for an address to which no token may be sent */
function requireSafe(text: string): URL {
  const url = safeAddress(text)
  if (url) return url
  throw new LtiError(
    'refused',
    'An address for LTI must begin with https:// and must not contain a password. Correct `tokenUrl` of the system, or `lineItem` in writeBack.',
  )
}
