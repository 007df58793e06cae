// Finds the addresses of learning systems, notices, heartbeats and the console in the configuration file that are used without TLS.
// Pure.

import { z } from 'zod'
import { systemKinds } from '#src/extensions/lms/systems/registry.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import { type PlainAddress, plainHttpAddresses, plainSmtpAddresses } from './plain-addresses.ts'

/**
 * Returns the addresses that are not protected by TLS. LTI platforms are not included, because nothing is sent to them
 * over plain HTTP, whatever is allowed.
 * @param file as read or as parsed, so that other faults in it do not hide an address
 */
export function plainAddressesInFile(file: unknown): PlainAddress[] {
  const { systems, pipelines, notify, heartbeat, console: page } = addressesSchema.parse(file)
  return [
    ...Object.entries(systems).flatMap(([name, system]) => {
      const addressKey = systemKinds.find(({ type }) => type === system.type)?.address
      return addressKey ? plainHttpAddresses(`systems.${name}.${addressKey}`, system[addressKey] ?? '') : []
    }),
    ...plainSmtpAddresses(notify.smtp),
    ...plainHttpAddresses('notify.smtp.tokenUrl', notify.smtp.tokenUrl ?? ''),
    ...Object.entries(notify.to).flatMap(([name, recipient]) =>
      ['slack', 'teams', 'webhook'].flatMap((way) =>
        plainHttpAddresses(`notify.to.${name}.${way}`, recipient[way] ?? ''),
      ),
    ),
    ...plainHttpAddresses('heartbeat.url', heartbeat.url),
    // Passwords and the names of people come to this address.
    ...plainHttpAddresses('console.url', page.url),
    ...plainHttpAddresses('console.auth.oidc.issuer', page.auth.oidc.issuer),
    ...Object.entries(pipelines).flatMap(([name, pipeline]) =>
      plainHttpAddresses(`pipelines.${name}.heartbeat`, pipeline.heartbeat),
    ),
    ...Object.entries(pipelines).flatMap(([name, { writeBack }]) =>
      writeBack.flatMap((target, index) => {
        const addressKey = targetKinds.find(({ to }) => to === target.to)?.address
        return addressKey
          ? plainHttpAddresses(`pipelines.${name}.writeBack.${index}.${addressKey}`, target[addressKey] ?? '')
          : []
      }),
    ),
  ]
}

// Schemas that extract the addresses of a file, even if other parts of the file are invalid.
const stringOrEmpty = z.string().catch('')
const textsSchema = z.object({}).catchall(stringOrEmpty).catch({})
const pipelineSchema = z
  .object({ writeBack: z.array(textsSchema).catch([]), heartbeat: stringOrEmpty })
  .catch({ writeBack: [], heartbeat: '' })
const notifySchema = z
  .object({ smtp: textsSchema, to: z.record(z.string(), textsSchema).catch({}) })
  .catch({ smtp: {}, to: {} })
const noConsole = { url: '', auth: { oidc: { issuer: '' } } }
const consoleSchema = z
  .object({
    url: stringOrEmpty,
    auth: z.object({ oidc: z.object({ issuer: stringOrEmpty }).catch({ issuer: '' }) }).catch(noConsole.auth),
  })
  .catch(noConsole)
const addressesSchema = z
  .object({
    systems: z.record(z.string(), textsSchema).catch({}),
    pipelines: z.record(z.string(), pipelineSchema).catch({}),
    notify: notifySchema,
    heartbeat: z.object({ url: stringOrEmpty }).catch({ url: '' }),
    console: consoleSchema,
  })
  .catch({ systems: {}, pipelines: {}, notify: { smtp: {}, to: {} }, heartbeat: { url: '' }, console: noConsole })
