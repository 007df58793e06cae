// `npm pack` makes a package that works elsewhere. Packed once, from a copy of this checkout, and installed once, with
// npm's cache where it has the packages, and otherwise with the registry that npm is set to.

import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '#test/src/cli/cli-workspace.ts'
import { startProgram } from '#test/src/cli/start-program.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { migrationFiles } from '#test/support/migration-files.ts'
import { lockOfInstalled } from './lock-of-installed.ts'

const root = resolve(import.meta.dirname, '../..')
let folder = ''
let installed = ''
let program = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credsync-package-'))
  // Under root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(folder, 0o755)
  const checkout = join(folder, 'checkout')
  const packed = [
    'build',
    'config',
    'deploy',
    'docs',
    'jobs',
    'sandboxes',
    'src',
    'package.json',
    'README.md',
    'CHANGELOG.md',
  ]
  for (const name of [...packed, '.gitignore']) await cp(join(root, name), join(checkout, name), { recursive: true })
  const target = join(folder, 'elsewhere')
  await mkdir(target)
  const [{ filename }] = JSON.parse(npm(checkout, 'pack', '--json', '--silent', `--pack-destination=${target}`))
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  await writeFile(join(target, 'package.json'), JSON.stringify({ dependencies: { credsync: `file:${filename}` } }))
  await writeFile(join(target, 'package-lock.json'), JSON.stringify(lockOfInstalled(lock, filename)))
  // Without install scripts, as npm leaves them out unless somebody allows them.
  npm(target, 'ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund')
  installed = join(target, 'node_modules/credsync')
  program = join(target, 'node_modules/.bin/credsync')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

async function runInstalled(args: readonly string[], env: Record<string, string>, cwd: string) {
  const running = startProgram(args, { cwd, env, script: program })
  onTestFinished(() => running.stop())
  return await running.ended
}

describe('the package', () => {
  test('contains the built program, what its messages refer to, and nothing of development', async () => {
    expect((await readdir(installed)).sort()).toEqual([
      ...['CHANGELOG.md', 'README.md', 'config', 'deploy', 'dist', 'docs', 'package.json'],
    ])
    expect((await readdir(join(installed, 'config'))).sort()).toEqual([
      ...['credsync.example.yaml', 'credsync.schema.json', 'settings.md'],
    ])
    const files = await readdir(installed, { recursive: true })
    expect(files.filter((file) => /\.tsx?$|test|bench|node_modules|credsync\.yaml$/.test(file))).toEqual([])
    expect(files.filter((name) => /\/migrations\/.+\.sql$/.test(name))).toHaveLength(migrationFiles.length)
  })

  test('runs the demo by npx, in a folder with nothing but the package', async () => {
    const { status, stderr } = spawnSync('npx', ['--no-install', 'credsync', 'demo'], {
      cwd: join(folder, 'elsewhere'),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CREDSYNC_DATA_DIR: join(folder, 'demo-data') },
    })
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
    expect(stderr).toContain('494 requests for 494 people; 429 (too many requests) was returned 0 times.')
    // Which command comes next, as it is typed here.
    expect(stderr).toContain('`npx credsync demo --lms` shows a learning system')
  })
})

describeWithDatabase('the package, with a configuration', () => {
  test('checks it, and reads a list in its reading thread', async () => {
    const workspace = await openWorkspace()
    const list = await workspace.write('list.csv', 'e_mail,First Name,Last Name\nada@example.org,Ada,Lovelace\n')
    const check = await runInstalled(['check', '--config', 'credsync.yaml'], workspace.env, workspace.folder)
    expect([check.code, check.code === 0 ? '' : check.stderr]).toEqual([0, ''])
    const issue = ['issue', list, '--pipeline', 'spring', '--config', 'credsync.yaml', '--wait', '--json']
    const { code, stdout, stderr } = await runInstalled(issue, workspace.env, workspace.folder)
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout).states.issued).toBe(1)
  })
})
