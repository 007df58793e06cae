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
      expect(`systems.${name}.confirm`, system.confirm, ['moodle'], 'only a system of type moodle can confirm')
  for (const [name, { source, writeBack }] of Object.entries(pipelines)) {
    if (source && 'system' in source) {
      const where = `pipelines.${name}.source.system`
      expect(where, source.system, ['moodle', 'webhook', 'xapi'], 'it tells of no completions')
      const system = systems[source.system]
      if (system && 'confirm' in system && system.confirm !== undefined)
        faults.push({
          where,
          sentence: `names ${source.system}, whose events are confirmed by ${system.confirm}; name ${system.confirm} here`,
        })
    }
    const told = source && 'system' in source ? source.system : null
    if (writeBack.length > 0 && told === null)
      faults.push({
        where: `pipelines.${name}.writeBack`,
        sentence: 'tells a learning system of its learners, and this pipeline has none; give it a source with a system',
      })
    for (const [index, target] of writeBack.entries()) {
      const where = `pipelines.${name}.writeBack.${index}.system`
      if ('system' in target && target.to !== 'lti' && told !== null && told !== target.system)
        faults.push({
          where,
          sentence: `names ${target.system}, and the learners come from ${told}: their ids mean nothing there; name ${told}`,
        })
      if (target.to === 'lti') expect(where, target.system, ['lti'], 'a score needs one of type lti')
      else if (target.to !== 'webhook')
        expect(where, target.system, ['moodle'], `${target.to} needs one of type moodle`)
    }
  }
}
