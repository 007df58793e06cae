// Removes the secrets of learning systems and targets from the settings before these are hashed, and finds addresses
// that are used without TLS. Pure.

import { z } from 'zod'
import { type PlainAddress, plainHttpAddresses } from '#config/addresses-without-tls.ts'
import { mapValues, withoutSecrets } from '#config/without-secrets.ts'
import { systemKinds } from '#src/extensions/lms/systems/registry.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'

export function withoutSystemSecrets<File extends { systems: object; pipelines: object }>(file: File): File {
  return {
    ...file,
    // By name, so that a system's name is not mistaken for the name of a secret.
    systems: mapValues(file.systems, withoutSecrets),
    pipelines: mapValues(file.pipelines, (each) => ({
      ...each,
      ...('writeBack' in each && { writeBack: withoutSecrets(each.writeBack) }),
    })),
  }
}

/**
 * Finds the addresses of learning systems and targets that are used without TLS. LTI platforms are not included,
 * because nothing is sent to them over plain HTTP, whatever is allowed.
 * @param file as read or as parsed
 */
export function plainSystemAddresses(file: unknown): PlainAddress[] {
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

// Extracts the addresses of a file, even if other parts of the file are invalid.
const textsSchema = z.object({}).catchall(z.string().catch('')).catch({})
const pipelineSchema = z.object({ writeBack: z.array(textsSchema).catch([]) }).catch({ writeBack: [] })
const addressesSchema = z
  .object({
    systems: z.record(z.string(), textsSchema).catch({}),
    pipelines: z.record(z.string(), pipelineSchema).catch({}),
  })
  .catch({ systems: {}, pipelines: {} })
