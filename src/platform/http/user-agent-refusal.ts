// Recognizes the refusal of a host that requires a User-Agent, as Instructure's hosts do. credsync always sends one, so
// something in between has removed it. Pure.

import { userAgent } from '#src/platform/version.ts'

/** @returns the sentence for the operator; null for any other response */
export function userAgentRefusal(host: string, { status, text }: { status: number; text: string }): string | null {
  if (status !== 403 || !/valid user[- ]agent/i.test(text)) return null
  return `${host} refuses requests without a valid User-Agent (HTTP 403), and credsync sends “${userAgent}”. Check whether a proxy between this machine and ${host} removes or replaces that header.`
}
