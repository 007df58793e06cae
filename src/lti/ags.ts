// A platform's Assignment and Grade Services (LTI 1.3): which line items there are, what they show of a learner, and scores written to
// them. No launch is needed for it.

import type { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import { resultsOf, scoresOf } from './below-line-item.ts'
import { callWithToken } from './call.ts'
import { type LineItem, lineItemShape, lineItemsType } from './line-item.ts'
import { safeAddress } from './safe-address.ts'
import { type Score, scoreBody, scoreType } from './score.ts'
import { resultShape, resultsType } from './shown-result.ts'
import { readPrivateKey } from './signing-key.ts'
import { openTokens } from './tokens.ts'
import { type Trouble, troubleOf } from './trouble.ts'
import { walkPages } from './walk-pages.ts'
import type { Send } from './wire.ts'
import { type Looked, type Written, writeScore } from './write-score.ts'

export interface AgsOptions {
  /** The tool, as the platform registered it. */
  clientId: string
  /** Where tokens come from; https, or http on this machine. */
  tokenUrl: string
  privateKeyPem: Secret
  /** Under which id the platform knows the key; default its thumbprint. */
  keyId?: string
  /** `iss` of the assertion; default the client id. */
  issuer?: string
  /** `aud` of the assertion; default the token URL. Brightspace shows another one when the tool is registered. */
  audience?: string
  send: Send
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

export interface Ags {
  /** The tool's line items of one course, all pages. `url` is the platform's `lineitems` address of that course. */
  lineItems(url: string): Promise<{ kind: 'items'; items: LineItem[] } | Trouble>
  /** Writes one score unless it stands there already, and looks whether it does then. */
  score(lineItemUrl: string, score: Score): Promise<Written>
  /** Asks for the token that scores need, and writes nothing. */
  signIn(): Promise<{ kind: 'signed in' } | Trouble>
  /** What stands there of one learner. */
  results(lineItemUrl: string, userId: string): Promise<Looked>
}

const deadlineMs = 30_000

// 1EdTech's names. Line items are asked for with a token of their own: a platform that does not allow to list them still takes scores.
const scopes = 'https://purl.imsglobal.org/spec/lti-ags/scope'
const listing = `${scopes}/lineitem.readonly`
const grading = `${scopes}/score ${scopes}/result.readonly`

/** Throws LtiKeyError for a key that can't sign, and RangeError for a token URL that is not safe. */
export function openAgs(options: AgsOptions): Ags {
  const { clientId, tokenUrl, keyId, issuer, audience, send, clock, random } = options
  if (!safeAddress(tokenUrl))
    throw new RangeError('The token URL for LTI must begin with https:// and carry no password.')
  const key = readPrivateKey(options.privateKeyPem)
  const signer = {
    clientId,
    audience: audience ?? tokenUrl,
    key,
    random,
    ...(keyId !== undefined && { keyId }),
    ...(issuer !== undefined && { issuer }),
  }
  const desk = { tokens: openTokens({ tokenUrl, signer, send, clock, deadlineMs }), send }
  const get = (scope: string, accept: string) => (url: string) =>
    callWithToken(desk, scope, { method: 'GET', url, headers: { accept }, deadlineMs })

  async function look(lineItem: URL, userId: string): Promise<Looked> {
    const url = resultsOf(lineItem, userId)
    const walked = await walkPages(url, resultShape, 'a list of results', get(grading, resultsType))
    // Not every platform heeds user_id: Moodle ignores one that is not a number.
    if (walked.kind === 'items')
      return { kind: 'results', results: walked.items.filter((each) => each.userId === userId) }
    if (walked.kind === 'answer' && [401, 403, 404, 405, 501].includes(walked.status)) return { kind: 'hidden' }
    return walked.kind === 'answer' || walked.kind === 'failed' ? troubleOf(walked, url, clock.now()) : walked
  }

  return {
    async lineItems(url) {
      const safe = safeAddress(url)
      if (!safe) return unsafe
      const walked = await walkPages(url, lineItemShape, 'a list of line items', get(listing, lineItemsType))
      if (walked.kind === 'items') {
        return walked.items.every((each) => safeAddress(each.url)?.origin === safe.origin) ? walked : foreign(safe.host)
      }
      return walked.kind === 'answer' || walked.kind === 'failed' ? troubleOf(walked, url, clock.now()) : walked
    },
    async score(lineItemUrl, score) {
      const lineItem = safeAddress(lineItemUrl)
      if (!lineItem) return unsafe
      const tell = () =>
        callWithToken(desk, grading, {
          method: 'POST',
          url: scoresOf(lineItem),
          headers: { 'content-type': scoreType },
          body: scoreBody(score),
          deadlineMs,
        })
      return writeScore(score, { look: () => look(lineItem, score.userId), tell }, lineItemUrl, () => clock.now())
    },
    async signIn() {
      const taken = await desk.tokens.take(grading)
      return taken.kind === 'token' ? { kind: 'signed in' } : taken
    },
    async results(lineItemUrl, userId) {
      const lineItem = safeAddress(lineItemUrl)
      return lineItem ? look(lineItem, userId) : unsafe
    },
  }
}

const unsafe: Trouble = {
  kind: 'refused',
  why: 'The address of a line item must begin with https:// and carry no password. Correct it in the settings.',
}

function foreign(host: string): Trouble {
  return {
    kind: 'refused',
    why: `${host} lists line items at another host, where no token is sent. Ask the platform's operator about the address that it believes to have.`,
  }
}
