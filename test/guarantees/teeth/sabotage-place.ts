// A copy of the program with one thing sabotaged, to run the suites against.

import { spawn } from 'node:child_process'
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Sabotage } from './sabotage.ts'

const root = resolve(import.meta.dirname, '../../..')
const parts = ['src', 'jobs', 'config', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts']

export interface SabotagePlace extends AsyncDisposable {
  /**
   * Sabotages the copy, runs the suite that has to catch it, and mends the copy again. One at a time.
   * @throws when what is to be sabotaged does not stand in its file exactly once
   */
  runSuite(sabotage: Sabotage): Promise<{ code: number | null; output: string }>
}

/** One copy for all sabotages, because compiled code is kept by its path. */
export async function openSabotagePlace(): Promise<SabotagePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-sabotage-'))
  for (const part of parts) await linkTree(join(root, part), join(folder, part))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    async runSuite(sabotage) {
      const path = join(folder, sabotage.file)
      const text = await readFile(path, 'utf8')
      const places = text.split(sabotage.find).length - 1
      if (places !== 1)
        throw new Error(
          `${sabotage.file} holds what "${sabotage.name}" looks for ${places} times, not once: bring it up to date.`,
        )
      // The file is a second name of the real one: that name goes first.
      await rm(path)
      try {
        // A function, because a text may hold the $ patterns of replace().
        await writeFile(
          path,
          text.replace(sabotage.find, () => sabotage.replace),
        )
        return await runSuite(folder, sabotage)
      } finally {
        await writeFile(path, text)
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The same files under another name, which costs less than copies. A symbolic link would lead back to the real tree. */
async function linkTree(from: string, to: string): Promise<void> {
  // The folder for temporary files may be on another file system.
  if (!(await stat(from)).isDirectory()) return link(from, to).catch(() => copyFile(from, to))
  await mkdir(to)
  for (const name of await readdir(from)) await linkTree(join(from, name), join(to, name))
}

function runSuite(folder: string, { caughtBy }: Sabotage): Promise<{ code: number | null; output: string }> {
  const [args, env] =
    'weather' in caughtBy
      ? [
          [join(folder, 'test/guarantees/simulation/main.ts')],
          // One bad seed is enough.
          {
            WEATHER: caughtBy.weather,
            SEEDS: `${caughtBy.from ?? 1}-${(caughtBy.from ?? 1) + caughtBy.seeds - 1}`,
            FAULTS: '1',
          },
        ]
      : [
          [
            join(root, 'node_modules/vitest/vitest.mjs'),
            'run',
            '--root',
            folder,
            '--bail',
            '1',
            '--testTimeout',
            '10000',
            '--testNamePattern',
            caughtBy.title,
            caughtBy.tests,
          ],
          {},
        ]
  return new Promise((done, fail) => {
    const kept = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...withoutVitest(process.env), ...kept, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', fail)
    child.on('close', (code) => done({ code, output }))
  })
}

/** The suite is a run of its own: it must not take itself for a worker of ours. */
function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$|SEED|NODE_OPTIONS$)/.test(name))
  return Object.fromEntries(own)
}
