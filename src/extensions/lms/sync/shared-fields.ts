// Finds profile fields of a learning system that more than one pipeline writes to. A learner who has a credential from
// each pipeline sees only the one that was delivered last. Pure.

import type { Target } from './targets.ts'

export interface SharedField {
  system: string
  field: string
  /** At least two pipelines, in the order of the configuration. */
  pipelines: string[]
}

export function sharedFields(targets: readonly Target[]): SharedField[] {
  const written = targets.flatMap(({ pipeline, profile }) =>
    profile ? Object.keys(profile.fields).map((field) => ({ pipeline, system: profile.system, field })) : [],
  )
  const groups = Map.groupBy(written, ({ system, field }) => `${system} ${field}`)
  return [...groups.values()].flatMap((each) => {
    const [first] = each
    const pipelines = [...new Set(each.map(({ pipeline }) => pipeline))]
    return first && pipelines.length > 1 ? [{ system: first.system, field: first.field, pipelines }] : []
  })
}
