// By what a completion becomes a row, and the row is checked: a hash that is another one when any of it is. Pure.

import { createHash } from 'node:crypto'
import type { PipelineSettings } from '#config/schema.ts'
import { canonicalJson } from '#src/events/canonical-json.ts'
import type { Field } from '#src/recipients/field.ts'
import type { Door } from './open-learning.ts'

/**
 * What is told, fetched or sent when does not count, so that a new secret or schedule has no row checked anew.
 * @param door of the system whose events are taken at their word; null of one that is asked
 */
export function rulesOf(
  pipeline: PipelineSettings,
  fields: readonly Field[],
  door: Pick<Door, 'settings'> | null,
): string {
  const { writeBack: _told, archive: _kept, share: _turns, brake: _brake, ...checked } = pipeline
  const rules = { checked, fields, mapped: door && mappingOf(door.settings) }
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(rules))))
    .digest('hex')
}

function mappingOf(settings: Door['settings']) {
  if (settings.type === 'webhook') return settings.map
  const { activityTypes, course, homePage } = settings
  return { activityTypes, course, homePage }
}
