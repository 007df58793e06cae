// The client of the credential service: one object with all its calls.

import type { Gates } from '#src/platform/limits/gates.ts'
import type { Secret } from '#src/platform/secret.ts'
import { openCredentialDownload } from './certificates/credential-download.ts'
import { openCourseChanges } from './courses/course-changes.ts'
import { openCourses } from './courses/courses.ts'
import { openSamples } from './courses/sample-downloads.ts'
import { type CallObservers, type EndpointName, endpointNames, openEndpoint } from './endpoint.ts'
import { observeClockOffset } from './http/clock-offset.ts'
import { attachSecrets, type Http, type HttpOptions, openHttp } from './http/http-client.ts'
import { openFields } from './lists/recipient-fields.ts'
import { openReferenceLists } from './lists/reference-lists.ts'
import { openReport, openReportPage } from './report/report-pages.ts'
import { openReader, openRetryingRead } from './retrying-reader.ts'
import { prepareInvitation } from './sending/invitation-body.ts'
import { openInvitations, openRevocations, openSending, prepareUpload } from './sending/send-change.ts'
import { openServiceTokens } from './tokens/service-tokens.ts'
import { openTokenCalls } from './tokens/token-calls.ts'
import type { TokenStore } from './tokens/token-store.ts'

export interface IssuerOptions extends HttpOptions, CallObservers {
  key: Secret
  secret: Secret
  gates: Pick<Gates, 'gate' | 'auth'>
  /** Numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** The token store shared by several processes. Default, or if null: a store within this process. */
  tokenStore?: TokenStore | null
  /** Replaces the network, for simulations. */
  http?: Http
}

export type Issuer = ReturnType<typeof openIssuer>

/**
 * Creates the client without connecting to the service.
 * @throws BaseUrlError for an unusable address
 */
export function openIssuer(options: IssuerOptions) {
  const { key, secret, gates, clock, random } = options
  const observed = observeClockOffset(options.http ?? openHttp(options), clock)
  const http = attachSecrets(observed.http, [key, secret])
  const endpoints = Object.fromEntries(
    endpointNames.map((name) => [
      name,
      openEndpoint(name, name === 'token' ? gates.auth : gates.gate(name), http, clock, options),
    ]),
  ) as Record<EndpointName, ReturnType<typeof openEndpoint>>
  const tokenCalls = openTokenCalls({ endpoint: endpoints.token, key, secret, clock, random })
  const tokens = openServiceTokens(tokenCalls, clock, options.tokenStore ?? undefined)
  const retryingRead = openRetryingRead(tokens, clock, random)
  const read = openReader(retryingRead)
  const change = openSending('change', tokens, clock)
  return {
    ...openCourses(endpoints, read),
    ...openCourseChanges(endpoints, change),
    ...openReferenceLists(endpoints, read),
    ...openSamples(endpoints, retryingRead),
    /**
     * Verifies that a token can be obtained.
     * @throws KeysRefusedError or ServiceUnreachableError if it cannot
     */
    async checkToken() {
      await tokens.fresh()
    },
    /** The recipient fields of a course, in the service's order. */
    fieldList: openFields(endpoints['field-list'], read),
    prepareInvitation,
    /** Prepares an invitation as a form with a file. */
    prepareUpload,
    /** Sends once; never rejects. */
    invite: openInvitations(endpoints.invite, openSending('invitation', tokens, clock)),
    reportPages: openReport(endpoints.report, read),
    /** Reads only the first page of a search, without walking the report. */
    reportPage: openReportPage(endpoints.report, read),
    /** Downloads a credential from the service, by entity_uuid or credential_id. */
    downloadCredential: openCredentialDownload(endpoints['credential-download'], retryingRead),
    /** Sends once; never rejects. */
    revokeCredential: openRevocations(endpoints.revoke, change),
    /**
     * The service's clock minus ours, in milliseconds, according to the Date header of the last answer that had one;
     * null if none had. See observeClockOffset.
     */
    clockOffsetMs: observed.offsetMs,
    /** The number of HTTP requests made so far, by endpoint. */
    counts: () =>
      Object.fromEntries(endpointNames.map((name) => [name, endpoints[name].calls()])) as Record<EndpointName, number>,
    /** Waits for running requests, then closes the connections. */
    close: () => http.close(),
  }
}
