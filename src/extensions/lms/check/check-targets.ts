// Runs the checks of a pipeline's targets at one learning system, as defined by their kinds. Calls the system, but
// delivers nothing.

import type { Settings } from '#config/settings.ts'
import type { App } from '#src/app/app.ts'
import {
  type CourseOfTarget,
  orFaultFinding,
  type SystemClients,
  type SystemFinding,
} from '#src/extensions/lms/systems/system-kind.ts'
import { targetKindOf, targetKinds } from '#src/extensions/lms/targets/registry.ts'
import type { TargetKind } from '#src/extensions/lms/targets/target-kind.ts'

/**
 * The settings and ledger functions that checks of learning systems need; the ledger is null if it could not be opened.
 */
export interface KnownSystems {
  settings: Pick<Settings, 'file'>
  ledger: { completions: Pick<App['ledger']['completions'], 'known'> } | null
}

interface CheckedTargets {
  pipeline: string
  system: string
  learning: SystemClients
  /** The course of the pipeline, as it was found in the system. */
  course: CourseOfTarget
}

/** How many of a pipeline's learners are used for a check: what was delivered to them shows which fields exist. */
const maxKnownLearners = 3

export async function checkTargets(
  { settings: { file }, ledger }: KnownSystems,
  { pipeline, system, learning, course }: CheckedTargets,
  kinds: readonly TargetKind[] = targetKinds,
): Promise<SystemFinding[]> {
  const sampleLearners = async () =>
    [...((await ledger?.completions.known(system, pipeline))?.keys() ?? [])].slice(-maxKnownLearners)
  const findings: SystemFinding[] = []
  for (const target of file.pipelines[pipeline]?.writeBack ?? []) {
    const { check } = targetKindOf(target, kinds)
    if (!check || !('system' in target) || target.system !== system) continue
    const about = { name: check.name, pipeline }
    const run = async () =>
      (await check.run({ learning, pipeline, course, sampleLearners }, target)).map(({ notice, ...found }) => ({
        ...about,
        ...found,
        ...(notice !== undefined && { notices: [notice] }),
      }))
    findings.push(...(await orFaultFinding(about, run)))
  }
  return findings
}
