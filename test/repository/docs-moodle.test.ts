// Checks docs/moodle.md: the instructions for administrators match what the code needs, and its settings are valid.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseFileSettings } from '#config/settings.ts'
import { generalCapabilities, privileges } from '#src/extensions/lms/moodle/privileges.ts'

const read = (path: string) => readFileSync(join(resolve(import.meta.dirname, '../..'), path), 'utf8')
const page = read('docs/moodle.md')

/** Indented blocks of YAML, without their indent. */
const blocks = (text: string) =>
  [...text.matchAll(/^( +)(?:service|systems):\n(?:\1.*\n)+/gm)].map(([block, indent]) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

describe('docs/moodle.md', () => {
  test.each(privileges)(
    'lists $name with its purpose and exactly its capabilities',
    ({ name, neededFor, capabilities }) => {
      const rows = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))
      expect(rows).toHaveLength(1)
      const [, , purpose, rights = ''] = (rows[0] ?? '').split('|').map((cell) => cell.trim())
      expect(purpose).toBe(neededFor)
      expect([...rights.matchAll(/`([^`]+)`/g)].map((match) => match[1])).toEqual([...capabilities])
    },
  )

  test('names no other function or capability except the one for hidden courses', () => {
    const listed = [...page.matchAll(/^\| `((?:core|mod|gradereport)_\w+)` \|/gm)].map((match) => match[1])
    expect(listed.toSorted()).toEqual(privileges.map(({ name }) => name).toSorted())
    const named = new Set([...page.matchAll(/`([a-z]+(?:\/[a-z]+)+:[a-z]+)`/g)].map((match) => match[1]))
    const needed = new Set([...generalCapabilities, ...privileges.flatMap(({ capabilities }) => capabilities)])
    expect([...named].toSorted()).toEqual([...needed, 'moodle/course:viewhiddencourses'].toSorted())
  })

  test('shows valid settings', () => {
    // The placeholder for a secret is as long as a real one.
    const examples = blocks(page).map((block) => parse(block.replaceAll(/\$\{\w+\}/g, (name) => name.padEnd(24, '.'))))
    expect(examples).toHaveLength(4)
    const systems = Object.assign({}, ...examples.map((example) => example.systems))
    const file = parseFileSettings({ service: { environment: 'development' }, ...examples[0], systems })
    expect(Object.values(file.systems).map(({ type }) => type)).toEqual(['moodle', 'webhook', 'xapi'])
    expect(file.systems.campus).toMatchObject({ report: 12, every: '15m', perSecond: 10, atOnce: 2 })
  })
})
