// The credential service as this worker knows it: one object with its verbs.

import { type Courses, openCourses } from './courses.ts'
import { type EndpointName, endpointNames, openEndpoint } from './endpoint.ts'
import type { BytesBody } from './exchange.ts'
import { openFields, type RecipientField } from './fields.ts'
import type { IssuerGates } from './gate.ts'
import { type Http, type HttpOptions, openHttp } from './http.ts'
import { type InvitationRequest, type PreparedInvitation, prepareInvitation } from './invitation-body.ts'
import { type Invite, openInvitations } from './invitations.ts'
import { openAsking, openReader } from './reader.ts'
import { openReport, type ReportPage, type ReportQuery } from './report.ts'
import { openReportPage, type ReadReportPage } from './report-page.ts'
import { openSamples, type Samples } from './samples.ts'
import type { Secret } from './secret.ts'
import { openTokenCalls } from './token-calls.ts'
import { openTokens } from './tokens.ts'
import { prepareUpload, type UploadRequest } from './upload-body.ts'

export interface IssuerOptions extends HttpOptions {
  key: Secret
  secret: Secret
  gates: IssuerGates
  /** Numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Another wire than the network, for simulations. */
  http?: Http
}

export interface Issuer extends Courses, Samples {
  /** Makes sure that a token can be had. Throws KeysRefusedError or ServiceUnreachableError when not. */
  checkToken(): Promise<void>
  /** The recipient fields of a course, in the service's order. */
  fieldList(courseUuid: string): Promise<RecipientField[]>
  prepareInvitation(request: InvitationRequest): PreparedInvitation<string>
  /** The same invitation as a form with a file. */
  prepareUpload(request: UploadRequest): PreparedInvitation<BytesBody>
  /** See Invite: one send, never rejects. */
  invite: Invite
  reportPages(query: ReportQuery): AsyncIterable<ReportPage>
  /** One page, asked for exactly so. */
  reportPage: ReadReportPage
  /** HTTP requests made so far, by endpoint. */
  counts(): Record<EndpointName, number>
  /** Lets requests under way end, then closes the connections. */
  close(): Promise<void>
}

/** Opens nothing on the network yet. Throws BaseUrlError for an unusable address. */
export function openIssuer(options: IssuerOptions): Issuer {
  const { key, secret, gates, clock, random } = options
  const { http = openHttp(options) } = options
  const endpoints = Object.fromEntries(
    endpointNames.map((name) => [
      name,
      openEndpoint(name, name === 'token' ? gates.auth : gates.gate(name), http, clock),
    ]),
  ) as Record<EndpointName, ReturnType<typeof openEndpoint>>
  const tokens = openTokens(openTokenCalls({ endpoint: endpoints.token, key, secret, clock, random }), clock)
  const ask = openAsking(tokens, clock, random)
  const read = openReader(ask)
  return {
    ...openCourses({ detail: endpoints['course-detail'], list: endpoints['course-list'] }, read),
    ...openSamples({ sheet: endpoints['sample-sheet'], data: endpoints['sample-data'] }, ask),
    async checkToken() {
      await tokens.fresh()
    },
    fieldList: openFields(endpoints['field-list'], read),
    prepareInvitation,
    prepareUpload,
    invite: openInvitations(endpoints.invite, tokens, clock),
    reportPages: openReport(endpoints.report, read),
    reportPage: openReportPage(endpoints.report, read),
    counts: () =>
      Object.fromEntries(endpointNames.map((name) => [name, endpoints[name].calls()])) as Record<EndpointName, number>,
    close: () => http.close(),
  }
}
