// The credential service as this worker knows it: one object with its verbs.

import { type DownloadByLink, openCertificateLinks } from './certificate-link.ts'
import { type CourseChanges, openCourseChanges } from './course-changes.ts'
import { type Courses, openCourses } from './courses.ts'
import { type DownloadCredential, openCredentialDownload } from './credential-download.ts'
import { type EndpointName, endpointNames, type OnCall, openEndpoint } from './endpoint.ts'
import type { BytesBody } from './exchange.ts'
import { openFields, type RecipientField } from './fields.ts'
import type { IssuerGates } from './gate.ts'
import { type Http, type HttpOptions, openHttp } from './http.ts'
import { type InvitationRequest, type PreparedInvitation, prepareInvitation } from './invitation-body.ts'
import { type Invite, openInvitations } from './invitations.ts'
import { keepUnspoken } from './keep-unspoken.ts'
import { type ListMailTemplates, openMailTemplates } from './mail-templates.ts'
import { type ListModules, openModules } from './modules.ts'
import { openAsking, openReader } from './reader.ts'
import { openReferenceLists, type ReferenceLists } from './reference-lists.ts'
import { openReport, type ReportPage, type ReportQuery } from './report.ts'
import { openReportPage, type ReadReportPage } from './report-page.ts'
import { openRevocations, type RevokeCredential } from './revocations.ts'
import { openSamples, type Samples } from './samples.ts'
import type { Secret } from './secret.ts'
import { openSending } from './sending.ts'
import { openTokenCalls } from './token-calls.ts'
import type { TokenStore } from './token-store.ts'
import { openTokens } from './tokens.ts'
import { prepareUpload, type UploadRequest } from './upload-body.ts'
import { watchDates } from './watch-dates.ts'

export interface IssuerOptions extends HttpOptions {
  key: Secret
  secret: Secret
  gates: IssuerGates
  /** Numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Where the token is kept that several processes share. Default, and null: in this process alone. */
  tokenStore?: TokenStore | null
  onCall?: OnCall
  /** Another wire than the network, for simulations. */
  http?: Http
}

export interface Issuer extends Courses, CourseChanges, ReferenceLists, Samples {
  /** Makes sure that a token can be had. Throws KeysRefusedError or ServiceUnreachableError when not. */
  checkToken(): Promise<void>
  /** The recipient fields of a course, in the service's order. */
  fieldList(courseUuid: string): Promise<RecipientField[]>
  listModules: ListModules
  /** The active ones of a course. */
  listMailTemplates: ListMailTemplates
  prepareInvitation(request: InvitationRequest): PreparedInvitation<string>
  /** The same invitation as a form with a file. */
  prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody>
  /** See Invite: one send, never rejects. */
  invite: Invite
  reportPages(query: ReportQuery): AsyncIterable<ReportPage>
  /** One page, asked for exactly so. */
  reportPage: ReadReportPage
  /** From the service, by entity_uuid or credential_id. */
  downloadCredential: DownloadCredential
  /** By the link in the report, which lives three minutes. */
  downloadByLink: DownloadByLink
  /** See RevokeCredential: one send, never rejects. */
  revokeCredential: RevokeCredential
  /** The service's clock minus ours, in milliseconds, by the Date header of the last answer; null when none had one. See watchDates. */
  clockOffsetMs(): number | null
  /** HTTP requests made so far, by endpoint. */
  counts(): Record<EndpointName, number>
  /** Lets requests under way end, then closes the connections. */
  close(): Promise<void>
}

/** Opens nothing on the network yet. Throws BaseUrlError for an unusable address. */
export function openIssuer(options: IssuerOptions): Issuer {
  const { key, secret, gates, clock, random } = options
  const dates = watchDates(options.http ?? openHttp(options), clock)
  const http = keepUnspoken(dates.http, [key, secret])
  const endpoints = Object.fromEntries(
    endpointNames.map((name) => [
      name,
      openEndpoint(name, name === 'token' ? gates.auth : gates.gate(name), http, clock, options.onCall),
    ]),
  ) as Record<EndpointName, ReturnType<typeof openEndpoint>>
  const tokenCalls = openTokenCalls({ endpoint: endpoints.token, key, secret, clock, random })
  const tokens = openTokens(tokenCalls, clock, options.tokenStore ?? undefined)
  const ask = openAsking(tokens, clock, random)
  const read = openReader(ask)
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
    ...openSamples({ sheet: endpoints['sample-sheet'], data: endpoints['sample-data'] }, ask),
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
    downloadCredential: openCredentialDownload(endpoints['credential-download'], ask),
    downloadByLink: openCertificateLinks(endpoints['certificate-link'], clock, random),
    revokeCredential: openRevocations(endpoints.revoke, change),
    clockOffsetMs: dates.offsetMs,
    counts: () =>
      Object.fromEntries(endpointNames.map((name) => [name, endpoints[name].calls()])) as Record<EndpointName, number>,
    close: () => http.close(),
  }
}
