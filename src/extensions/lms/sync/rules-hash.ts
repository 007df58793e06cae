// Computes a hash over all settings that determine how a completion becomes a row and how the row is checked. Pure.

import { createHash } from 'node:crypto'
import type { PipelineSettings } from '#config/schema.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import type { InboundSystem } from '#src/extensions/lms/systems/inbound-system.ts'
import { canonicalJson } from '#src/extensions/lms/webhooks/canonical-json.ts'

/**
 * Returns a SHA-256 hash in hex, which is stored: when it changes, rows are checked again. Settings for deliveries,
 * certificates, shares and brakes are excluded, because changing them must not cause rows to be checked again.
 * @param trustedSystem the system whose events are trusted; null for a system that is polled
 * @param language the language in which to issue multilingual names; null when none is set
 */
export function rulesHashOf(
  pipeline: PipelineSettings,
  fields: readonly Field[],
  trustedSystem: Pick<InboundSystem, 'mapping'> | null,
  language: string | null,
): string {
  const { writeBack: _writeBack, archive: _archive, share: _share, brake: _brake, ...checkedSettings } = pipeline
  const rules = {
    checked: checkedSettings,
    fields,
    mapped: trustedSystem?.mapping ?? null,
    ...(language !== null && { language }),
  }
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(rules))))
    .digest('hex')
}
