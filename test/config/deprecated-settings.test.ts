// A setting that is marked as deprecated is found wherever a file uses it, and is shown to everybody who may use it. No
// setting is deprecated today, so the tests mark one.

import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { deprecated, deprecatedSettings, type MarkedNode } from '#config/deprecated-settings.ts'
import { referencePage, schemaFile } from '#config/generated-files.ts'
import { fileSchema } from '#config/schema.ts'
import { openWorkspace } from '#test/src/cli/cli-workspace.ts'
import { runInWorkspace } from '#test/src/cli/run-in-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const when = { since: '1.2.0', use: 'pace', until: '2.0.0' }
const message = 'is deprecated since 1.2.0; use pace. It stops working in 2.0.0'
const old = deprecated(z.int().optional().describe('How fast.'), when)

test.each([
  ['a member of a group', z.object({ a: z.object({ old }) }), { a: { old: 1 } }, ['a.old']],
  ['a group', z.object({ a: deprecated(z.object({ b: z.int() }).default({ b: 1 }), when) }), { a: {} }, ['a']],
  [
    'named groups',
    z.object({ a: z.record(z.string(), z.object({ old })) }),
    { a: { x: { old: 1 }, y: {} } },
    ['a.x.old'],
  ],
  ['the groups of a list', z.object({ a: z.array(z.object({ old })) }), { a: [{}, { old: 1 }] }, ['a.1.old']],
  ['one of several forms', z.object({ a: z.union([z.string(), z.object({ old })]) }), { a: { old: 1 } }, ['a.old']],
  ['a text where there is a group, too', z.object({ a: z.union([z.string(), z.object({ old })]) }), { a: 'old' }, []],
  ['a file without it', z.object({ old, other: z.int() }), { other: 1 }, []],
])('is found in %s', (_, schema, file, places) => {
  const node = z.toJSONSchema(schema, { io: 'input' }) as MarkedNode
  expect(deprecatedSettings(file, node)).toEqual(places.map((where) => ({ where, sentence: message })))
})

test('is found only in the form whose type the file names', () => {
  const forms = [z.object({ type: z.literal('x'), old }), z.object({ type: z.literal('y'), old: z.int() })] as const
  const node = z.toJSONSchema(z.object({ a: z.discriminatedUnion('type', forms) }), { io: 'input' }) as MarkedNode
  expect(deprecatedSettings({ a: { type: 'x', old: 1 } }, node)).toHaveLength(1)
  expect(deprecatedSettings({ a: { type: 'y', old: 1 } }, node)).toEqual([])
})

/** Marks a real setting, the health pages, until the end of the test. */
function markWeb(): void {
  const { web } = fileSchema.shape
  const before = z.globalRegistry.get(web)
  z.globalRegistry.add(web, { ...before, ...deprecated(web, when).meta() })
  onTestFinished(() => {
    z.globalRegistry.remove(web)
    if (before) z.globalRegistry.add(web, before)
  })
}

test('keeps its description, and is marked in the schema for editors and on the page of settings', () => {
  expect(old.meta()).toEqual({ description: 'How fast.', deprecated: true, deprecationMessage: message })
  const [page, schema] = [referencePage(), schemaFile()]
  expect([page, schema].filter((text) => text.includes('deprecat'))).toEqual([])
  markWeb()
  expect(JSON.parse(schemaFile()).properties.web).toMatchObject({ deprecated: true, deprecationMessage: message })
  const [row = ''] = /^\| `web` .*$/m.exec(referencePage()) ?? []
  expect(row).toContain(`| **This setting ${message}.** `)
})

describeWithDatabase('credsync check', () => {
  test('warns of it, names its place in the file, and finds no fault', async () => {
    const workspace = await openWorkspace()
    const check = () => runInWorkspace(workspace, ['check'])
    expect((await check()).stdout).not.toContain('deprecated')
    markWeb()
    const { code, stdout } = await check()
    expect(code).toBe(0)
    expect(stdout).toContain(`note   configuration: web ${message}\n`)
  })
})
