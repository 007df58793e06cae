// Checks docs/canvas.md: its settings are valid and fit together, and it names the columns of a completion.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SettingsFault } from '#config/read-variable.ts'
import { parseFileSettings } from '#config/settings.ts'
import { checkSystemReferences } from '#src/extensions/lms/settings/check-references.ts'
import { systemKindOf } from '#src/extensions/lms/systems/registry.ts'

const page = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/canvas.md'), 'utf8')

/** Indented blocks of YAML, without their indent. */
const examples = [...page.matchAll(/^ {4}systems:\n(?: {4}.*\n)+/gm)].map(([block]) =>
  parse(block.replace(/^ {4}/gm, '')),
)

test('docs/canvas.md shows valid settings that fit together', () => {
  expect(examples).toHaveLength(2)
  const systems = Object.assign({}, ...examples.map((example) => example.systems))
  const file = parseFileSettings({ service: { environment: 'development' }, ...examples[0], systems })
  const faults: SettingsFault[] = []
  checkSystemReferences(file, faults)
  expect(faults).toEqual([])
  expect(file.systems.campus).toMatchObject({ type: 'canvas', every: '15m', sweep: '30 2 * * *', perSecond: 10 })
})

test('docs/canvas.md names the columns of a completion', () => {
  const [sentence = ''] = /^The columns of a completion:[\s\S]*?\n\n/m.exec(page) ?? []
  const named = [...(sentence.split('First and last')[0]?.matchAll(/`([a-z]+)`/g) ?? [])].map((match) => match[1])
  const system = parseFileSettings({
    service: { environment: 'development' },
    pipelines: {},
    ...{ systems: examples[0].systems },
  }).systems
  expect(named).toEqual(system.campus && systemKindOf(system.campus).columns(system.campus))
})
