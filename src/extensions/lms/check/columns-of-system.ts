import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { FileSettings } from '#config/schema.ts'
import { systemKindOf } from '#src/extensions/lms/systems/registry.ts'

/** Returns the columns of a completion if a learning system is the source. Pure. */
export function columnsOfSystem(
  { systems }: Pick<FileSettings, 'systems'>,
  { source }: PipelineSettings,
): { system: string; titles: string[] }[] {
  if (!source || !('system' in source)) return []
  const { system } = source
  const settings = systems[system]
  return settings ? [{ system, titles: systemKindOf(settings).columns(settings) }] : []
}
