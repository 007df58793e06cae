// What a learning system is told of a credential, in its fields and in a comment. Pure.

import { type Html, html } from '#src/moodle/html.ts'

export const toldStates = ['issued', 'rejected', 'failed', 'held', 'revoked'] as const

export interface TellableCredential {
  wanted: (typeof toldStates)[number]
  credentialId: string | null
  verifierLink: string | null
  /** YYYY-MM-DD. */
  issueDate: string | null
  validTill: string | null
}

export type Said = 'credential' | 'link' | 'status' | 'issued' | 'expires'

/** An empty text takes away what stood there: of a credential that is revoked no link may go on looking valid. */
export function saidOf(credential: TellableCredential, what: Said): string {
  const stands = credential.wanted === 'issued'
  switch (what) {
    case 'status':
      return credential.wanted
    case 'credential':
      return stands || credential.wanted === 'revoked' ? (credential.credentialId ?? '') : ''
    case 'link':
      return stands ? (credential.verifierLink ?? '') : ''
    case 'issued':
      return stands ? (credential.issueDate ?? '') : ''
    case 'expires':
      return stands ? (credential.validTill ?? '') : ''
  }
}

/** Null where a comment has nothing to say: only a credential that is, or was, is worth a teacher's look. */
export function commentOf({ wanted, credentialId, verifierLink }: TellableCredential): Html | null {
  if (credentialId === null) return null
  if (wanted === 'revoked') return html`<p>Credential ${credentialId} was revoked.</p>`
  if (wanted !== 'issued') return null
  return verifierLink
    ? html`<p>Credential <a href="${verifierLink}">${credentialId}</a></p>`
    : html`<p>Credential ${credentialId}</p>`
}
