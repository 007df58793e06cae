// The settings of learning systems, combined from the settings of each kind of system, and the settings of pipelines
// that issue their completions.

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

const duration = z
  .string()
  .regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')

export const completionsSchema = z
  .strictObject({
    system: systemName.describe('The learning system (of `systems`) whose completions are issued.'),
    course: z
      .string()
      .min(1)
      .describe(
        'The course as that system names it: for a Moodle site its ID number; for a Canvas site its id, or sis_course_id: and its SIS id.',
      ),
    renewAfter: duration
      .optional()
      .describe(
        'A completion that is this much later than the newest known one gets another credential; an older one never does. If omitted, each learner gets only one credential, forever.',
      ),
  })
  .describe('Completions that a learning system reports.')

export type CompletionsSettings = z.infer<typeof completionsSchema>
