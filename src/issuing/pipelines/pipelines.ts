// Gives access to the configured pipelines by name. Pure.

import type { PipelineSettings } from '#config/pipeline-settings.ts'

export class PipelineUnknownError extends Error {
  override readonly name = 'PipelineUnknownError'
}

export interface Pipelines {
  names: readonly string[]
  find(name: string): PipelineSettings | null
  /** @throws PipelineUnknownError, whose message lists the configured names */
  named(name: string): PipelineSettings
}

export function openPipelines(settings: Readonly<Record<string, PipelineSettings>>): Pipelines {
  const names = Object.keys(settings)
  const find = (name: string) => (Object.hasOwn(settings, name) ? (settings[name] ?? null) : null)
  return {
    names,
    find,
    named(name) {
      const pipeline = find(name)
      if (pipeline) return pipeline
      throw new PipelineUnknownError(
        `The configuration has no pipeline ${JSON.stringify(name)}. ${names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none; add one under pipelines.'}`,
      )
    },
  }
}
