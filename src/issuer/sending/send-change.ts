// Sends calls that change something, such as invitations and revocations, each once through its gate. Sends a call a
// second time only after a 401, because a call that was answered with 401 was not applied. Also builds the form body of
// an upload.

import type { Endpoint } from '#src/issuer/endpoint.ts'
import type { BytesBody, Exchange, HttpRequest } from '#src/issuer/http/exchange.ts'
import { type FormFile, type FormPart, formBody, sha256Of } from '#src/issuer/http/form-body.ts'
import { connectionsOf } from '#src/issuer/http/http-client.ts'
import { routeTo } from '#src/issuer/routes.ts'
import type { ServiceTokens } from '#src/issuer/tokens/service-tokens.ts'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { InvitationRequest, PreparedInvitation } from './invitation-body.ts'
import { classifyChange, type Outcome, withoutAnswer } from './outcome.ts'

export interface SendOptions {
  /** Milliseconds for the whole exchange, counted from sending. */
  deadlineMs: number
  /**
   * How many milliseconds the call may wait for a paused endpoint. If the pause is longer, the outcome is not_sent,
   * with `retryAfterMs`. Default: no limit.
   */
  mayWaitMs?: number
  /**
   * Called in the same tick in which the request is written. If it returns false, nothing is sent, and the outcome is
   * not_sent with code CLAIM_EXPIRED.
   */
  mayStillSend?: () => boolean
}

export type Change = Pick<HttpRequest, 'method' | 'path' | 'body'>

/**
 * Classifies the exchange. The default is classifyChange; an endpoint whose answer contains further information has its
 * own classifier.
 */
export type Classify = (exchange: Exchange, now: Date) => Outcome

/**
 * Never rejects: a failure before the request is written is not_sent, with the error's name as code (KeysRefusedError,
 * ServiceUnreachableError, LimitsClosedError …); a failure after that is unknown.
 */
export type SendChange = (
  endpoint: Endpoint,
  change: Change,
  options: SendOptions,
  classify?: Classify,
) => Promise<Outcome>

/**
 * @param lane the pool of connections to use; the number of its connections limits how many calls run at the same time
 */
export function openSending(lane: 'invitation' | 'change', tokens: ServiceTokens, clock: Clock): SendChange {
  const limited = limitConcurrency(connectionsOf[lane])

  async function attempt(endpoint: Endpoint, change: Change, options: SendOptions, classify: Classify) {
    const { mayWaitMs = Number.POSITIVE_INFINITY, deadlineMs, mayStillSend: maySend } = options
    let token = ''
    const build = (): HttpRequest | null => {
      // The wait at the gate may have been long, so the token is checked again in the tick in which it is sent.
      const ready = tokens.ready()
      if (!ready) return null
      token = ready
      return { ...change, lane, token, deadlineMs, ...(maySend && { maySend }) }
    }
    try {
      for (let tries = 0; tries < 3; tries++) {
        await tokens.fresh()
        const exchange = await endpoint.call(build, { mayWaitMs })
        if (exchange) return { outcome: classify(exchange, clock.now()), token }
      }
      return { outcome: withoutAnswer('not_sent', 'TOKEN_AGED_AT_GATE'), token }
    } catch (error) {
      // A non-empty token means that the request was built. The HTTP client never rejects, but if it did, the request
      // might have been sent.
      const { name: code = 'Error', retryAfterMs = null } = error as { name?: string; retryAfterMs?: number }
      return { outcome: { ...withoutAnswer(token ? 'unknown' : 'not_sent', code), retryAfterMs }, token }
    }
  }

  return (endpoint, change, options, classify = classifyChange) =>
    limited(async () => {
      const first = await attempt(endpoint, change, options, classify)
      if (first.outcome.class !== 'unauthorised') return first.outcome
      try {
        await tokens.renew(first.token)
      } catch {
        return first.outcome
      }
      return (await attempt(endpoint, change, options, classify)).outcome
    })
}

/**
 * An invitation with a file. Has no `options`, because the flags of a JSON invitation are not documented for the
 * upload.
 */
export interface UploadRequest extends Omit<InvitationRequest, 'options' | 'students'> {
  /** A workbook, or a ZIP that contains a workbook and images. */
  file: FormFile
  /** The number of recipients. */
  students: number
}

/**
 * Builds the form body of an upload, before it is sent. The same request always gives the same bytes. Arrays are sent
 * as JSON text in one field, as the course endpoints expect them. Pure.
 */
export function prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody> {
  const { signatures, sponsors, file } = request
  const fields = {
    course_uuid: request.courseUuid,
    template_uuid: request.templateUuid,
    badge_template_uuid: request.badgeTemplateUuid,
    signature:
      signatures &&
      JSON.stringify(signatures.map((signature) => ({ uuid: signature.uuid, signature_req: signature.required }))),
    sponsor: sponsors && JSON.stringify(sponsors),
    custom_email_template_uuid: request.mailTemplateUuid,
    file,
  }
  const parts = Object.entries(fields).filter((part): part is [string, string | FormFile] => part[1] !== undefined)
  const body = formBody(parts satisfies FormPart[])
  return { body, sha256: sha256Of(body.bytes), students: request.students }
}

/**
 * Revokes the credential with this credential_id (groups of digits, as the report shows it) with one call. Never
 * rejects; see SendChange. The format of the answer is not documented, so only an envelope with status 200 is
 * `accepted`. Any other HTTP 200 answer is `unknown`, and the report's revoked_date decides. Default of `deadlineMs`:
 * 60 000.
 */
export type RevokeCredential = (credentialId: string, options?: Partial<SendOptions>) => Promise<Outcome>

export function openRevocations(endpoint: Endpoint, send: SendChange): RevokeCredential {
  return (credentialId, options) => {
    const body = JSON.stringify({ credential_id: credentialId })
    return send(endpoint, { ...routeTo('revoke'), body }, { deadlineMs: 60_000, ...options })
  }
}

type InviteOptions = SendOptions

/** Sends a prepared invitation once, as JSON or as a form. See SendChange for the outcome. */
export type Invite = (prepared: PreparedInvitation, options: InviteOptions) => Promise<Outcome>

export function openInvitations(endpoint: Endpoint, send: SendChange): Invite {
  return ({ body }, options) => send(endpoint, { ...routeTo('invite'), body }, options)
}
