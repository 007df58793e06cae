// The keys of what commands print with --json, as scripts read them, are those that are written down.

import { expect, test } from 'vitest'
import { expectContract } from '#test/repository/contract/written-contract.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorkspace, type Workspace } from './cli-workspace.ts'
import { runInWorkspace } from './run-in-workspace.ts'

const list = [
  'e_mail,First Name,Last Name',
  'ada@example.org,Ada,Lovelace',
  'hold.grace@example.org,Grace,Hopper',
  'fail.alan@example.org,Alan,Turing',
  'not-an-address,Bea,Broken',
].join('\n')

/** Each after the ones whose effects it needs. ID is the credential of the first person, RUN the first run. */
const calls = [
  ['check'],
  ['issue', 'list.csv', '--pipeline', 'spring', '--dry-run'],
  ['issue', 'list.csv', '--pipeline', 'spring', '--wait'],
  ['status'],
  ['status', '--run', 'RUN'],
  ['explain', 'ada@example.org'],
  ['held'],
  ['notices'],
  ['events'],
  ['erasures'],
  ['reconcile'],
  ['adopt', '--pipeline', 'spring', '--dry-run'],
  ['lists', 'languages'],
  ['fields', 'spring'],
  ['report'],
  ['courses', 'list'],
  ['console', 'user', 'list'],
  ['download', 'ID', '--to', 'certificates'],
  ['export', 'ada@example.org', '--to', 'exported'],
  ['retry', '--run', 'RUN'],
  ['correct'],
  ['trust-ledger', '--reason', 'nothing is wrong'],
  ['revoke', 'ID', '--yes'],
  ['forget', 'ada@example.org', '--reason', 'a letter', '--dry-run'],
  ['explain', 'nobody@example.org'],
]

describeWithDatabase('the JSON of commands', () => {
  test('has the keys that scripts rely on', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', list)
    const found = new Set<string>()
    const known: Record<string, string> = {}
    for (const call of calls) {
      const document = await printed(workspace, [...call.map((word) => known[word] ?? word), '--json'])
      if (call[0] === 'issue') known.RUN = document.run
      if (call[0] === 'explain' && !document.error) known.ID = document.issuances[0].credentialId
      const words = call.filter(
        (word) => /^(--)?[a-z-]+$/.test(word) && !['spring', 'certificates', 'exported'].includes(word),
      )
      for (const key of keysOf(document)) found.add(`json ${document.error ? 'of an error' : words.join(' ')}: ${key}`)
    }
    expectContract('json.txt', [...found])
  })
})

async function printed(workspace: Workspace, args: readonly string[]) {
  const { stdout, stderr } = await runInWorkspace(workspace, args)
  expect(stdout, `${args.join(' ')}: ${stderr}`).toMatch(/^\{/)
  return JSON.parse(stdout)
}

/** Every path in the document with the type of its value. The elements of a list are taken together. */
function keysOf(document: object): string[] {
  const types = new Map<string, string>()
  visit(document, '', types)
  return [...types].map(([path, type]) => `${path} ${type}`)
}

function visit(value: unknown, path: string, types: Map<string, string>): void {
  if (Array.isArray(value)) {
    types.set(path, 'list')
    if (!passedOn.test(path)) for (const each of value) visit(each, `${path}[]`, types)
  } else if (value === null) types.set(path, types.get(path) ?? 'null')
  else if (typeof value !== 'object') types.set(path, typeof value)
  else if (passedOn.test(path)) types.set(path, 'object')
  else for (const [key, each] of Object.entries(value)) visit(each, path ? `${path}.${key}` : key, types)
}

/** Named by the service or by the fields of a course, or different for each step of a row. */
const passedOn = /^(items|courses|recipients)$|evidence$/
