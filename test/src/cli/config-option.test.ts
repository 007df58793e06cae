// --config is one option of the program, accepted by every command, before or after its name.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runWithEnv, runWithoutConfig } from './run-without-config.ts'

const path = '/nowhere/chosen.yaml'

/** The shortest call of each command that its options and arguments allow. */
const calls: string[][] = [
  ['issue', 'people.csv', '--pipeline', 'spring'],
  ['start'],
  ['check'],
  ['status'],
  ['explain', 'i1'],
  ['reconcile'],
  ['held'],
  ['resolve', 'i1', '--sent'],
  ['retry', 'i1'],
  ['approve', '00000000'],
  ['reject', '00000000'],
  ['trust-ledger', '--reason', 'adopted'],
  ['revoke', 'i1'],
  ['correct'],
  ['export', 'i1', '--to', 'exported'],
  ['forget', 'i1', '--reason', 'a letter'],
  ['erasures'],
  ['download', 'i1', '--to', 'certificates'],
  ['adopt', '--pipeline', 'spring'],
  ['events', 'list'],
  ['events', 'show', 'd1'],
  ['events', 'close', 'd1'],
  ['events', 'replay', '--system', 'campus'],
  ['events', 'deliver', '--pipeline', 'spring'],
  ['notices'],
  ['notify', '--test', 'ops'],
  ['console', 'user', 'add', 'ada', '--role', 'operator'],
  ['console', 'user', 'list'],
  ['console', 'user', 'remove', 'ada'],
  ['console', 'sign-out', 'ada'],
  ['lists', 'languages'],
  ['fields', 'spring'],
  ['sample', 'sheet', 'spring'],
  ['report'],
  ['courses', 'list'],
  ['courses', 'show', 'spring'],
  ['courses', 'create', 'course.yaml'],
  ['courses', 'update', 'spring', 'course.yaml'],
  ['courses', 'enable', 'spring'],
  ['courses', 'disable', 'spring'],
  ['courses', 'remove-logo', 'spring', 'square'],
  ['demo'],
  ['probe', '--pipeline', 'spring'],
  ['sandbox', '--port', '70000'],
]
const groups = ['events', 'courses', 'console', 'console user']

/** Commands that read no configuration, each with a part of the error at which it stops. */
const stopsWith = {
  status: 'DATABASE_URL',
  explain: 'DATABASE_URL',
  erasures: 'DATABASE_URL',
  notices: 'DATABASE_URL',
  sandbox: '70000',
  demo: '--nothing',
}

describe('--config', () => {
  test('is tested with every command that exists', async () => {
    const commandsListedBy = async (...of: string[]) =>
      [...(await runWithoutConfig(...of, '--help')).stdout.matchAll(/^ {2}([a-z][a-z-]*)(?= |$)/gm)].map(
        ([, name]) => name as string,
      )
    const withoutGroup = (await commandsListedBy()).filter((name) => !groups.includes(name) && name !== 'help')
    const inGroups = await Promise.all(
      groups.map(async (group) => (await commandsListedBy(...group.split(' '))).map((name) => `${group} ${name}`)),
    )
    const all = [...withoutGroup, ...inGroups.flat()].filter(
      (name) => !name.endsWith(' help') && !groups.includes(name),
    )
    const called = calls.map((call) =>
      call.slice(0, 1 + groups.filter((group) => call.join(' ').startsWith(`${group} `)).length).join(' '),
    )
    expect(called.sort()).toEqual(all.sort())
  })

  test.each(calls.map((call) => [call.join(' '), call] as const))('is accepted by %s', async (_, call) => {
    const name = call[0] as string
    const expectedText = stopsWith[name as keyof typeof stopsWith]
    // The demo needs no configuration and would run, so an unknown option after the tested one stops it.
    const extraArguments = name === 'demo' ? ['--nothing'] : []
    const file = await courseFile()
    const words = call.map((word) => (word === 'course.yaml' ? file : word))
    const argv = [...words, '--config', path, ...extraArguments]
    const { code, stdout, stderr } = await runWithEnv({ DATABASE_URL: 'no address' }, ...argv)
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(expectedText ?? path)])
  })

  test.each([
    [['--config', path, 'held', '--json']],
    [['held', '--config', path, '--json']],
    [['held', '--json', `--config=${path}`]],
  ])('may stand anywhere: %j', async (argv) => {
    expect((await runWithEnv({ DATABASE_URL: 'no address' }, ...argv)).stderr).toContain(path)
  })
})

/** Writes a valid course file, because the commands read it before the configuration. */
async function courseFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'course.yaml')
  await writeFile(file, 'number: WET-1\n')
  return file
}
