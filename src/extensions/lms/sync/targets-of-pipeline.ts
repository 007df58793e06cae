// Resolves the targets of a pipeline, to which its outcomes are delivered. The name of a target stays the same when the
// configuration is reordered. Pure.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { WriteBackSettings } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import type { CredentialProperty } from '#src/extensions/lms/targets/credential-text.ts'
import { targetKindOf, targetKinds } from '#src/extensions/lms/targets/registry.ts'
import type { TargetKind } from '#src/extensions/lms/targets/target-kind.ts'

export interface Target {
  pipeline: string
  /** A stable name, such as `moodle-profile college`. */
  name: string
  kind: TargetKind
  settings: WriteBackSettings
  /**
   * True when the target shows one credential for each learner; otherwise every change of every credential is
   * delivered.
   */
  showsOne: boolean
  /** The system whose ids identify learners at the target; null when ids of any system may be used. */
  learnersOf: string | null
  /** True when the pipeline requests public links; the service creates a link only on request. */
  requestsPublicLink: boolean
  /** The properties of an issued credential that the target must show. */
  needs: readonly CredentialProperty[]
  /** The profile fields of a system that the target writes; null if it writes none. */
  profile: { system: string; fields: Readonly<Record<string, CredentialProperty>> } | null
}

export function targetsOf(
  pipeline: string,
  { writeBack, options, source }: Pick<PipelineSettings, 'writeBack' | 'options' | 'source'>,
  kinds: readonly TargetKind[] = targetKinds,
): Target[] {
  return writeBack.map((settings) => {
    const kind = targetKindOf(settings, kinds)
    const { showsOne } = kind
    const requestsPublicLink = options.publicLink === true
    return {
      pipeline,
      name: kind.name(settings),
      kind,
      settings,
      showsOne,
      learnersOf: showsOne && source && 'system' in source ? source.system : null,
      requestsPublicLink,
      needs: kind.propertiesToShow(settings, requestsPublicLink),
      profile:
        kind.profileFields && 'system' in settings
          ? { system: settings.system, fields: kind.profileFields(settings) }
          : null,
    }
  })
}

/** The names of the targets at a system, without duplicates. */
export function namesAt(targets: readonly Target[], system: string): string[] {
  const atSystem = targets.filter(({ settings }) => 'system' in settings && settings.system === system)
  return [...new Set(atSystem.map(({ name }) => name))]
}
