// The settings of learning systems, and of the targets to which outcomes are delivered. Each is combined from the
// settings of all its kinds.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import { systemKinds } from '#src/extensions/lms/systems/registry.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'

type KindsWithSettings = readonly [{ settings: z.ZodObject }, ...{ settings: z.ZodObject }[]]
type SchemasOf<Kinds extends KindsWithSettings> = { readonly [Index in keyof Kinds]: Kinds[Index]['settings'] }

function writeBackSchemaOf<Kinds extends KindsWithSettings>(kinds: Kinds) {
  const schemas = kinds.map(({ settings }) => settings) as unknown as SchemasOf<Kinds>
  return z
    .array(z.discriminatedUnion('to', schemas))
    .default([])
    .describe('Where outcomes are delivered in addition to the results file.')
}

export const writeBackSchema = writeBackSchemaOf(targetKinds)

export type WriteBackSettings = z.infer<typeof writeBackSchema>[number]

function systemsSchemaOf<Kinds extends KindsWithSettings>(kinds: Kinds) {
  const schemas = kinds.map(({ settings }) => settings) as unknown as SchemasOf<Kinds>
  return z.record(systemName, z.discriminatedUnion('type', schemas)).default({}).describe('Learning systems by name.')
}

export const systemsSchema = systemsSchemaOf(systemKinds)
