// The settings of learning systems, combined from the settings of each kind of system.

import { z } from 'zod'
import { systemName } from '#config/system-name.ts'
import { systemKinds } from '#src/extensions/lms/systems/registry.ts'

type SystemKindsWithSettings = readonly [{ settings: z.ZodObject }, ...{ settings: z.ZodObject }[]]
type SystemSchemas<Kinds extends SystemKindsWithSettings> = {
  readonly [Index in keyof Kinds]: Kinds[Index]['settings']
}

export function systemsSchemaOf<Kinds extends SystemKindsWithSettings>(kinds: Kinds) {
  const schemas = kinds.map(({ settings }) => settings) as unknown as SystemSchemas<Kinds>
  return z.record(systemName, z.discriminatedUnion('type', schemas)).default({}).describe('Learning systems by name.')
}

export const systemsSchema = systemsSchemaOf(systemKinds)
