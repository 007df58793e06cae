// Whether the learning systems that pipelines and other systems name are there, and of a type that can do what is asked of them.

import type { FileSettings } from './schema.ts'
import type { SettingsFault } from './settings-error.ts'

type SystemType = FileSettings['systems'][string]['type']

export function checkSystems({ systems, pipelines }: FileSettings, faults: SettingsFault[]): void {
  const expect = (where: string, name: string, types: readonly SystemType[], what: string) => {
    const system = Object.hasOwn(systems, name) ? systems[name] : undefined
    if (!system) {
      const names = Object.keys(systems)
      const there = names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none.'
      faults.push({ where, sentence: `names ${JSON.stringify(name)}, and \`systems\` has no such system. ${there}` })
    } else if (!types.includes(system.type))
      faults.push({ where, sentence: `names ${name}, which is of type ${system.type}; ${what}` })
  }
  for (const [name, system] of Object.entries(systems))
    if ('confirm' in system && system.confirm !== undefined)
      expect(
        `systems.${name}.confirm`,
        system.confirm,
        ['moodle', 'canvas'],
        'only one of type moodle or canvas can confirm',
      )
  for (const [name, { source, writeBack }] of Object.entries(pipelines)) {
    if (source && 'system' in source) {
      const where = `pipelines.${name}.source.system`
      expect(where, source.system, ['moodle', 'canvas', 'webhook', 'xapi'], 'it tells of no completions')
      const system = systems[source.system]
      if (system?.type === 'canvas' && !/^(\d{1,19}|sis_course_id:.+)$/.test(source.course))
        faults.push({
          where: `pipelines.${name}.source.course`,
          sentence:
            'is no course of a Canvas; write its id, which is the number in its address, or sis_course_id: and its SIS id',
        })
      if (system && 'confirm' in system && system.confirm !== undefined)
        faults.push({
          where,
          sentence: `names ${source.system}, whose events are confirmed by ${system.confirm}; name ${system.confirm} here`,
        })
    }
    const heard = source && 'system' in source ? source.system : null
    for (const [index, target] of writeBack.entries()) {
      const where = `pipelines.${name}.writeBack.${index}.system`
      checkTarget(faults, `pipelines.${name}.writeBack.${index}`, { target, earlier: writeBack.slice(0, index), heard })
      if (target.to === 'lti') {
        expect(where, target.system, ['lti'], 'a score needs one of type lti')
        const teller = heard === null ? undefined : systems[heard]
        if (teller?.type === 'xapi' && teller.homePage === undefined)
          faults.push({
            where,
            sentence: `names learners by their accounts, and ${heard} does not say whose accounts count; set its \`homePage\``,
          })
      } else if (target.to === 'canvas-columns')
        expect(where, target.system, ['canvas'], 'canvas-columns needs one of type canvas')
      else if (target.to !== 'webhook')
        expect(where, target.system, ['moodle'], `${target.to} needs one of type moodle`)
    }
  }
}

type Target = FileSettings['pipelines'][string]['writeBack'][number]

/** What each target is told in. Two entries for one place would overwrite each other, and the second never be told. */
function placeOf(target: Target): string {
  switch (target.to) {
    case 'moodle-profile':
      return `the profiles of ${target.system}`
    case 'moodle-assignment':
      return `the assignment ${target.assignment} of ${target.system}`
    case 'canvas-columns':
      return `the gradebook of ${target.system}`
    case 'lti':
      return `a line item of ${target.system}`
    case 'webhook':
      return 'a url'
  }
}

const isOnePlace = (one: Target, other: Target) =>
  placeOf(one) === placeOf(other) &&
  (one.to !== 'lti' || other.to !== 'lti' || one.lineItem === other.lineItem) &&
  (one.to !== 'webhook' || other.to !== 'webhook' || one.url === other.url)

/** A learner is known by the id of the system that told of them: to any other that id is somebody else, or nobody. */
function checkTarget(
  faults: SettingsFault[],
  where: string,
  { target, earlier, heard }: { target: Target; earlier: readonly Target[]; heard: string | null },
): void {
  if (earlier.some((each) => isOnePlace(each, target)))
    faults.push({ where, sentence: `names ${placeOf(target)} a second time; say it all in one entry` })
  if (target.to === 'webhook') return
  if (heard === null)
    faults.push({
      where,
      sentence: 'needs learners that a learning system told of; name that system in `source`, or tell a webhook',
    })
  else if (target.to !== 'lti' && target.system !== heard)
    faults.push({
      where,
      sentence: `names ${target.system}, and the completions come from ${heard}: a learner's id there is somebody else's in ${target.system}`,
    })
}
