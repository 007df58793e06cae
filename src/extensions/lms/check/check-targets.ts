// Runs the checks of the pipelines' targets, as defined by their kinds. Calls the learning systems, but delivers
// nothing.

import type { FileSettings } from '#config/schema.ts'
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

type CheckSubject = Partial<Pick<Check, 'pipeline' | 'system'>>

/** Runs those checks of one pipeline's targets that need the course, once the course was found in the system. */
export async function checkTargetsOfCourse(
  { pipelines }: Pick<FileSettings, 'pipelines'>,
  of: { pipeline: string; system: string; learning: SystemClients; course: CourseOfTarget },
): Promise<Check[]> {
  const { pipeline, system, learning, course } = of
  const targetContext = { learning, pipeline, course, sampleLearners: async () => [] }
  const subject = { pipeline, system }
  const checks: Check[] = []
  for (const target of pipelines[pipeline]?.writeBack ?? []) {
    const { check } = targetKindOf(target)
    if (check?.when !== 'course found' || !('system' in target) || target.system !== system) continue
    const runCheck = async () => asChecks(check.name, await check.run(targetContext, target), subject)
    checks.push(...(await runSafely(check.name, runCheck, subject)))
  }
  return checks
}

/** How many of a pipeline's learners are used for a check: what was delivered to them shows which fields exist. */
const maxKnownLearners = 3

/** Runs the remaining checks for the targets of all pipelines at a system, or without a system if `system` is null. */
export async function checkTargetsAtEnd(
  { settings: { file }, ledger }: KnownSystems,
  of: { system: string | null; learning: SystemClients },
  kinds: readonly TargetKind[] = targetKinds,
): Promise<Check[]> {
  const { system, learning } = of
  const systemSubject: CheckSubject = system === null ? {} : { system }
  const knownLearnersOf = async (pipeline: string) => {
    const known = system === null ? null : await ledger?.completions.known(system, pipeline)
    return [...(known?.keys() ?? [])].slice(-maxKnownLearners)
  }
  const checks: Check[] = []
  for (const { to, check } of kinds) {
    if (check?.when !== 'end') continue
    const runChecks = async () => {
      const found: Check[] = []
      for (const [pipeline, { writeBack }] of Object.entries(file.pipelines))
        for (const target of writeBack) {
          if (target.to !== to || ('system' in target ? target.system : null) !== system) continue
          const targetContext = { learning, pipeline, course: null, sampleLearners: () => knownLearnersOf(pipeline) }
          const subject = { pipeline, ...systemSubject }
          found.push(...asChecks(check.name, await check.run(targetContext, target), subject))
        }
      const { checkAccess } = check
      if (found.length === 0 || system === null || !checkAccess) return found
      const runAccessCheck = async () => asChecks(check.name, await checkAccess(learning, system), systemSubject)
      return [...found, ...(await runSafely(check.name, runAccessCheck, systemSubject))]
    }
    checks.push(...(await runSafely(check.name, runChecks, systemSubject)))
  }
  return checks
}

function asChecks(name: string, findings: readonly Finding[], subject: Partial<Check>): Check[] {
  return findings.map(({ what, remedy, notice }) => {
    const notices = [...(subject.notices ?? []), ...(notice === undefined ? [] : [notice])]
    const details = { ...subject, ...(notices.length > 0 && { notices }) }
    return remedy === undefined ? passed(name, what, details) : faulty(name, what, remedy, details)
  })
}
