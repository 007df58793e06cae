// The types of an xAPI request and its response, independent of any web server. Pure.

import type { Edition } from './edition.ts'

export interface XapiRequest {
  method: string
  /** The part of the path after `/xapi/NAME`, such as `/statements`. */
  path: string
  query: URLSearchParams
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export interface XapiAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A request that was authenticated. */
export interface AuthenticatedRequest extends XapiRequest {
  edition: Edition
}
