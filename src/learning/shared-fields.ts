// Profile fields of one Moodle that more than one pipeline writes: a learner of both sees whichever was told last. Pure.

import type { Target } from './targets.ts'

export interface SharedField {
  system: string
  field: string
  /** Two at least, in the order of the configuration. */
  pipelines: string[]
}

export function sharedFields(targets: readonly Target[]): SharedField[] {
  const written = targets.flatMap(({ pipeline, settings }) =>
    settings.to === 'moodle-profile'
      ? Object.keys(settings.fields).map((field) => ({ pipeline, system: settings.system, field }))
      : [],
  )
  const groups = Map.groupBy(written, ({ system, field }) => `${system} ${field}`)
  return [...groups.values()].flatMap((each) => {
    const [first] = each
    const pipelines = [...new Set(each.map(({ pipeline }) => pipeline))]
    return first && pipelines.length > 1 ? [{ system: first.system, field: first.field, pipelines }] : []
  })
}
