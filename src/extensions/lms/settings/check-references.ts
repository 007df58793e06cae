// Checks that the learning systems to which pipelines and other systems refer exist, and have a suitable type. Pure,
// except that it appends to the list of faults.

import type { SettingsFault } from '#config/read-variable.ts'
import type { FileSettings } from '#config/schema.ts'
import { systemKindOf, systemKinds } from '#src/extensions/lms/systems/registry.ts'
import type { SystemKind } from '#src/extensions/lms/systems/system-kind.ts'
import { targetKindOf } from '#src/extensions/lms/targets/registry.ts'

/** Appends a fault for each name that refers to no system, or to a system of an unsuitable type. */
export function checkSystemReferences(
  { systems, pipelines }: FileSettings,
  faults: SettingsFault[],
  kinds: readonly SystemKind[] = systemKinds,
): void {
  const systemOf = (name: string) => (Object.hasOwn(systems, name) ? systems[name] : undefined)
  const checkReference = (where: string, name: string, types: readonly string[], why: string) => {
    const system = systemOf(name)
    if (!system) {
      const names = Object.keys(systems)
      const known = names.length > 0 ? `Its systems are: ${names.join(', ')}.` : 'It is empty.'
      faults.push({ where, sentence: `names ${JSON.stringify(name)}, which is not in \`systems\`. ${known}` })
    } else if (!types.includes(system.type))
      faults.push({ where, sentence: `names ${name}, which is of type ${system.type}; ${why}` })
  }
  const polled = kinds.filter(({ poll }) => poll).map(({ type }) => type)
  const reporting = kinds.filter(({ poll, receive }) => poll || receive).map(({ type }) => type)
  for (const [name, system] of Object.entries(systems))
    if ('confirm' in system && system.confirm !== undefined)
      checkReference(
        `systems.${name}.confirm`,
        system.confirm,
        polled,
        `only one of type ${polled.join(' or ')} can confirm`,
      )
  for (const [name, { source, writeBack }] of Object.entries(pipelines)) {
    const reportingSystem = source && 'system' in source ? source.system : null
    const reporter = reportingSystem === null ? undefined : systemOf(reportingSystem)
    const reporterKind = reporter && systemKindOf(reporter, kinds)
    if (source && 'system' in source) {
      const where = `pipelines.${name}.source.system`
      checkReference(where, source.system, reporting, 'a system of this type reports no completions')
      const fault = reporterKind?.courseFault?.(source.course) ?? null
      if (fault !== null) faults.push({ where: `pipelines.${name}.source.course`, sentence: fault })
      if (reporter && 'confirm' in reporter)
        faults.push({
          where,
          sentence: `names ${source.system}, whose events are confirmed by ${reporter.confirm}; name ${reporter.confirm} instead`,
        })
    }
    for (const [index, target] of writeBack.entries()) {
      const where = `pipelines.${name}.writeBack.${index}`
      checkTarget(faults, where, { target, earlier: writeBack.slice(0, index), reportingSystem })
      const { system: needed } = targetKindOf(target)
      if (!needed || !('system' in target)) continue
      checkReference(`${where}.system`, target.system, [needed.type], needed.sentence)
      const fault = reporter && reporterKind?.foreignIdsFault?.(reporter, reportingSystem ?? '')
      if (needed.sharesLearnerIds && fault) faults.push({ where: `${where}.system`, sentence: fault })
    }
  }
}

type Target = FileSettings['pipelines'][string]['writeBack'][number]

/**
 * Checks one target. Learners are identified by an id of the system that reported them: in any other system, the same
 * id belongs to somebody else or to nobody.
 */
function checkTarget(
  faults: SettingsFault[],
  where: string,
  { target, earlier, reportingSystem }: { target: Target; earlier: readonly Target[]; reportingSystem: string | null },
): void {
  const kind = targetKindOf(target)
  // Two entries for one target would overwrite each other, and the second would never be delivered.
  if (earlier.some((each) => targetKindOf(each).name(each) === kind.name(target)))
    faults.push({ where, sentence: `names ${kind.describe(target)} a second time; combine them in one entry` })
  if (kind.showsOne && reportingSystem === null)
    faults.push({
      where,
      sentence: 'needs learners from a learning system; name that system in `source`, or use a webhook',
    })
  else if (
    reportingSystem !== null &&
    'system' in target &&
    !kind.system?.sharesLearnerIds &&
    target.system !== reportingSystem
  )
    faults.push({
      where,
      sentence: `names ${target.system}, and the completions come from ${reportingSystem}: the same learner id belongs to somebody else in ${target.system}`,
    })
}
