// The edition of xAPI, 1.0.x or 2.0.x, which the version header of each request selects (xAPI 1.0.3, Communication
// 3.3). Pure.

/** The name of the version header, in lower case. */
export const versionHeader = 'x-experience-api-version'

export type Edition = '1.0' | '2.0'

/** The latest patch version of each edition, which responses and /about report. */
export const supportedEditions: Record<Edition, string> = { '1.0': '1.0.3', '2.0': '2.0.0' }

/** The state of the sender that uses one endpoint. */
export interface Sender {
  /** The edition of the last accepted request. */
  edition: Edition
}

/**
 * A sender before its first request. 1.0.3 requires that a request without the header is refused; 2.0 (4.1.7) does not
 * mention this case. Both require that a response names the latest patch version.
 */
export const newSender: Sender = { edition: '1.0' }

/**
 * Returns the version for the response header: the latest patch version of the requested edition or, if that is not
 * supported, of the edition that the sender used last.
 */
export function answerVersion(requested: string | undefined, { edition }: Sender = newSender): string {
  return supportedEditions[editionOf(requested) ?? edition]
}

/** The version to set on a statement without a version: that of the first patch version (Data 2.4.10). */
export const defaultVersion: Record<Edition, string> = { '1.0': '1.0.0', '2.0': '2.0.0' }

/** Returns the edition of a version number, with or without a patch number; null for any other text, and for none. */
export function editionOf(version: string | undefined): Edition | null {
  const found = /^([12]\.0)(?:\.\d+(?:[-+][\dA-Za-z.+-]+)?)?$/.exec(version ?? '')?.[1]
  return found === '1.0' || found === '2.0' ? found : null
}
