// Runs the checks of a pipeline's targets, as defined by their kinds. Calls the learning systems, but delivers nothing.

import type { Settings } from '#config/settings.ts'
import type { App } from '#src/app/app.ts'
import { type Check, faulty, passed, runSafely } from '#src/check/check-result.ts'
import type { CourseOfTarget, SystemClients } from '#src/extensions/lms/systems/system-kind.ts'
import { targetKindOf, targetKinds } from '#src/extensions/lms/targets/registry.ts'
import type { Finding, TargetKind } from '#src/extensions/lms/targets/target-kind.ts'

/**
 * The settings and ledger functions that checks of learning systems need; the ledger is null if it could not be opened.
 */
export interface KnownSystems {
  settings: Pick<Settings, 'file'>
  ledger: { completions: Pick<App['ledger']['completions'], 'known'> } | null
}

interface CheckedTargets {
  pipeline: string
  /** Only targets at this system; null for those that need none. */
  system: string | null
  learning: SystemClients
  /** The course of the pipeline, as it was found in the system; null without a system. */
  course: CourseOfTarget | null
}

/** How many of a pipeline's learners are used for a check: what was delivered to them shows which fields exist. */
const maxKnownLearners = 3

export async function checkTargets(
  { settings: { file }, ledger }: KnownSystems,
  { pipeline, system, learning, course }: CheckedTargets,
  kinds: readonly TargetKind[] = targetKinds,
): Promise<Check[]> {
  const subject = { pipeline, ...(system !== null && { system }) }
  const sampleLearners = async () => {
    const known = system === null ? null : await ledger?.completions.known(system, pipeline)
    return [...(known?.keys() ?? [])].slice(-maxKnownLearners)
  }
  const checks: Check[] = []
  for (const target of file.pipelines[pipeline]?.writeBack ?? []) {
    const { check } = targetKindOf(target, kinds)
    if (!check || ('system' in target ? target.system : null) !== system) continue
    const context = { learning, pipeline, course, sampleLearners }
    const run = async () => asChecks(check.name, await check.run(context, target), subject)
    checks.push(...(await runSafely(check.name, run, subject)))
  }
  return checks
}

function asChecks(name: string, findings: readonly Finding[], subject: Partial<Check>): Check[] {
  return findings.map(({ what, remedy, notice }) => {
    const details = { ...subject, ...(notice !== undefined && { notices: [notice] }) }
    return remedy === undefined ? passed(name, what, details) : faulty(name, what, remedy, details)
  })
}
