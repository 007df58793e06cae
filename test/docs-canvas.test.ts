// docs/canvas.md: what it shows is settings that there are, the titles of its columns are those of a row, and its word on the cost is kept.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkSystems } from '#config/named-systems.ts'
import { parseFileSettings } from '#config/settings.ts'
import type { SettingsFault } from '#config/settings-error.ts'
import { titlesOf } from '#src/learning/cells.ts'

const page = readFileSync(join(resolve(import.meta.dirname, '..'), 'docs/canvas.md'), 'utf8')

/** Indented blocks of YAML, without their indent. */
const shown = [...page.matchAll(/^ {4}systems:\n(?: {4}.*\n)+/gm)].map(([block]) => parse(block.replace(/^ {4}/gm, '')))

test('docs/canvas.md shows settings that there are, and that fit each other', () => {
  expect(shown).toHaveLength(2)
  const systems = Object.assign({}, ...shown.map((each) => each.systems))
  const file = parseFileSettings({ service: { environment: 'development' }, ...shown[0], systems })
  const faults: SettingsFault[] = []
  checkSystems(file, faults)
  expect(faults).toEqual([])
  expect(file.systems.campus).toMatchObject({ type: 'canvas', every: '15m', sweep: '30 2 * * *', perSecond: 10 })
})

test('docs/canvas.md names the columns of a completion', () => {
  const [sentence = ''] = /^The columns of a completion:[\s\S]*?\n\n/m.exec(page) ?? []
  const named = [...(sentence.split('First and last')[0]?.matchAll(/`([a-z]+)`/g) ?? [])].map((match) => match[1])
  const system = parseFileSettings({
    service: { environment: 'development' },
    pipelines: {},
    ...{ systems: shown[0].systems },
  }).systems
  expect(named).toEqual(system.campus && titlesOf(system.campus))
})
