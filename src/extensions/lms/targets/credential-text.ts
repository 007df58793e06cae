// Formats the properties of a credential as text for the fields and comments of a target. Pure.

import { z } from 'zod'
import type { ShownCredential } from '#src/extensions/lms/ledger/deliveries.ts'
import { type Html, moodleHtml } from '#src/extensions/lms/moodle/html.ts'

export const deliveredStates = ['issued', 'rejected', 'failed', 'held', 'revoked'] as const

export type DeliverableCredential = Omit<ShownCredential, 'issuanceId'>

/** The properties of a credential that a target can show. */
export const credentialProperty = z.enum(['credential', 'link', 'status', 'issued', 'expires'])
export type CredentialProperty = z.infer<typeof credentialProperty>

/**
 * Returns the text for one property. An empty string clears the field: the link of a revoked credential must not
 * continue to look valid.
 */
export function textFor(credential: DeliverableCredential, what: CredentialProperty): string {
  const isIssued = credential.wanted === 'issued'
  switch (what) {
    case 'status':
      return credential.wanted
    case 'credential':
      return isIssued || credential.wanted === 'revoked' ? (credential.credentialId ?? '') : ''
    case 'link':
      return isIssued ? (credential.verifierLink ?? '') : ''
    case 'issued':
      return isIssued ? (credential.issueDate ?? '') : ''
    case 'expires':
      return isIssued ? (credential.validTill ?? '') : ''
  }
}

/**
 * Returns the wanted properties that every valid credential has, but that the report does not show yet. The expiry date
 * is never considered missing, since a credential may have none.
 */
export function missingOf(
  credential: DeliverableCredential,
  wanted: readonly CredentialProperty[],
): CredentialProperty[] {
  if (credential.wanted !== 'issued') return []
  return [...new Set(wanted)].filter((what) => what !== 'expires' && textFor(credential, what) === '')
}

/**
 * Returns a message for the operator about the missing properties.
 * @param requestsPublicLink true when the pipeline requests public links
 */
export function missingMessage(missing: readonly CredentialProperty[], requestsPublicLink: boolean): string {
  const shown = missing.map((what) => missingWords[what] ?? what).join(' and ')
  const sentence = `The report shows no ${shown} of an issued credential, and so neither does the target; what is missing is added as soon as the report shows it.`
  if (!missing.includes('link')) return sentence
  return requestsPublicLink
    ? `${sentence} If the report never shows a link, check in the portal whether the credential has a public link.`
    : `${sentence} The pipeline does not request public links: set options: { publicLink: true } for future credentials, and create the public link of this credential in the portal; or remove link from writeBack.`
}

const missingWords: Partial<Record<CredentialProperty, string>> = { link: 'public link', issued: 'day of issue' }

/** Returns the comment for a credential that was issued or revoked; null when there is nothing to report. */
export function commentOf({ wanted, credentialId, verifierLink }: DeliverableCredential): Html | null {
  if (credentialId === null) return null
  if (wanted === 'revoked') return moodleHtml`<p>Credential ${credentialId} was revoked.</p>`
  if (wanted !== 'issued') return null
  return verifierLink
    ? moodleHtml`<p>Credential <a href="${verifierLink}">${credentialId}</a></p>`
    : moodleHtml`<p>Credential ${credentialId}</p>`
}
