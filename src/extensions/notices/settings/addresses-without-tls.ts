// Finds the addresses of notices and heartbeats that are used without TLS. Pure.

import { z } from 'zod'
import { normalHost, type PlainAddress, plainHttpAddresses } from '#config/addresses-without-tls.ts'
import { isOwnMachine } from '#src/platform/own-machine.ts'

/**
 * Finds the addresses that are used without TLS.
 * @param file as read or as parsed
 */
export function plainNoticeAddresses(file: unknown): PlainAddress[] {
  const { notify, heartbeat } = addressesSchema.parse(file)
  return [
    ...plainSmtpAddresses(notify.smtp),
    ...plainHttpAddresses('notify.smtp.tokenUrl', notify.smtp.tokenUrl ?? ''),
    ...Object.entries(notify.to).flatMap(([name, recipient]) =>
      ['slack', 'teams', 'webhook'].flatMap((channel) =>
        plainHttpAddresses(`notify.to.${name}.${channel}`, recipient[channel] ?? ''),
      ),
    ),
    ...plainHttpAddresses('heartbeat.url', heartbeat.url),
  ]
}

/** Returns the mail server of `notify.smtp` if mail is sent to it without TLS. */
function plainSmtpAddresses({ host = '', tls }: Record<string, string>): PlainAddress[] {
  if (tls !== 'none' || host === '' || isOwnMachine(host)) return []
  return [{ where: 'notify.smtp.tls', host: normalHost(host), remedy: 'Use starttls or tls' }]
}

// Extracts the addresses of a file, even if other parts of the file are invalid.
const stringOrEmpty = z.string().catch('')
const textsSchema = z.object({}).catchall(stringOrEmpty).catch({})
const addressesSchema = z
  .object({
    notify: z
      .object({ smtp: textsSchema, to: z.record(z.string(), textsSchema).catch({}) })
      .catch({ smtp: {}, to: {} }),
    heartbeat: z.object({ url: stringOrEmpty }).catch({ url: '' }),
  })
  .catch({ notify: { smtp: {}, to: {} }, heartbeat: { url: '' } })
