// Finds the addresses of learning systems in the configuration file that are used without TLS. Pure.

import { z } from 'zod'
import { systemKinds } from '#src/lms/systems/registry.ts'
import { targetKinds } from '#src/lms/targets/registry.ts'
import { type PlainAddress, plainHttpAddresses } from './plain-addresses.ts'

/**
 * Returns the addresses that are not protected by TLS. LTI platforms are not included, because nothing is sent to them
 * over plain HTTP, whatever is allowed.
 * @param file as read or as parsed, so that other faults in it do not hide an address
 */
export function plainAddressesInFile(file: unknown): PlainAddress[] {
  const { systems, pipelines } = addressesSchema.parse(file)
  return [
    ...Object.entries(systems).flatMap(([name, system]) => {
      const addressKey = systemKinds.find(({ type }) => type === system.type)?.address
      return addressKey ? plainHttpAddresses(`systems.${name}.${addressKey}`, system[addressKey] ?? '') : []
    }),
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
const systemSchema = z.object({ type: stringOrEmpty }).catchall(stringOrEmpty).catch({ type: '' })
const targetSchema = z.object({ to: stringOrEmpty }).catchall(stringOrEmpty).catch({ to: '' })
const pipelineSchema = z.object({ writeBack: z.array(targetSchema).catch([]) }).catch({ writeBack: [] })
const addressesSchema = z
  .object({
    systems: z.record(z.string(), systemSchema).catch({}),
    pipelines: z.record(z.string(), pipelineSchema).catch({}),
  })
  .catch({ systems: {}, pipelines: {} })
