// The client of the credential service: one object with all its calls.

import type { Field } from '#src/domain/recipient/field.ts'
import type { Gates } from '#src/platform/limits/gates.ts'
import type { Secret } from '#src/platform/secret.ts'
import { type DownloadCredential, openCredentialDownload } from './certificates/credential-download.ts'
import { type CourseChanges, openCourseChanges } from './courses/course-changes.ts'
import { type Courses, openCourses } from './courses/courses.ts'
import { openSamples, type Samples } from './courses/sample-downloads.ts'
import { type CallObservers, type EndpointName, endpointNames, openEndpoint } from './endpoint.ts'
import { observeClockOffset } from './http/clock-offset.ts'
import type { BytesBody } from './http/exchange.ts'
import { attachSecrets, type Http, type HttpOptions, openHttp } from './http/http-client.ts'
import { openFields } from './lists/recipient-fields.ts'
import {
  type ListMailTemplates,
  type ListModules,
  openMailTemplates,
  openModules,
  openReferenceLists,
  type ReferenceLists,
} from './lists/reference-lists.ts'
import { openReport, type ReportPage, type ReportQuery } from './report/report-pages.ts'
import { openReportPage, type ReadReportPage } from './report/single-report-page.ts'
import { openReader, openRetryingRead } from './retrying-reader.ts'
import { type InvitationRequest, type PreparedInvitation, prepareInvitation } from './sending/invitation-body.ts'
import {
  type Invite,
  openInvitations,
  openRevocations,
  openSending,
  prepareUpload,
  type RevokeCredential,
  type UploadRequest,
} from './sending/send-change.ts'
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

export interface Issuer extends Courses, CourseChanges, ReferenceLists, Samples {
  /**
   * Verifies that a token can be obtained.
   * @throws KeysRefusedError or ServiceUnreachableError if it cannot
   */
  checkToken(): Promise<void>
  /** The recipient fields of a course, in the service's order. */
  fieldList(courseUuid: string): Promise<Field[]>
  listModules: ListModules
  /** The active mail templates of a course. */
  listMailTemplates: ListMailTemplates
  prepareInvitation(request: InvitationRequest): PreparedInvitation<string>
  /** Prepares an invitation as a form with a file. */
  prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody>
  /** See Invite: sends once, never rejects. */
  invite: Invite
  reportPages(query: ReportQuery): AsyncIterable<ReportPage>
  /** Reads exactly one page, exactly as requested. */
  reportPage: ReadReportPage
  /** Downloads a credential from the service, by entity_uuid or credential_id. */
  downloadCredential: DownloadCredential
  /** See RevokeCredential: sends once, never rejects. */
  revokeCredential: RevokeCredential
  /**
   * The service's clock minus ours, in milliseconds, according to the Date header of the last answer that had one; null
   * if none had. See observeClockOffset.
   */
  clockOffsetMs(): number | null
  /** The number of HTTP requests made so far, by endpoint. */
  counts(): Record<EndpointName, number>
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>
}

/**
 * Creates the client without connecting to the service.
 * @throws BaseUrlError for an unusable address
 */
export function openIssuer(options: IssuerOptions): Issuer {
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
    ...openCourses({ detail: endpoints['course-detail'], list: endpoints['course-list'] }, read),
    ...openCourseChanges(
      {
        create: endpoints['course-create'],
        update: endpoints['course-update'],
        status: endpoints['course-status'],
        logo: endpoints['course-logo'],
      },
      change,
    ),
    ...openReferenceLists(endpoints, read),
    ...openSamples({ sheet: endpoints['sample-sheet'], data: endpoints['sample-data'] }, retryingRead),
    async checkToken() {
      await tokens.fresh()
    },
    fieldList: openFields(endpoints['field-list'], read),
    listModules: openModules(endpoints['module-list'], read),
    listMailTemplates: openMailTemplates(endpoints['mail-template-list'], read),
    prepareInvitation,
    prepareUpload,
    invite: openInvitations(endpoints.invite, openSending('invitation', tokens, clock)),
    reportPages: openReport(endpoints.report, read),
    reportPage: openReportPage(endpoints.report, read),
    downloadCredential: openCredentialDownload(endpoints['credential-download'], retryingRead),
    revokeCredential: openRevocations(endpoints.revoke, change),
    clockOffsetMs: observed.offsetMs,
    counts: () =>
      Object.fromEntries(endpointNames.map((name) => [name, endpoints[name].calls()])) as Record<EndpointName, number>,
    close: () => http.close(),
  }
}
