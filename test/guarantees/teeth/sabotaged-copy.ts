// Makes a copy of the program in a temporary folder, sabotages one line of it, and runs a suite against the copy.

import { spawn } from 'node:child_process'
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Sabotage } from './sabotage.ts'

const root = resolve(import.meta.dirname, '../../..')
const parts = [
  'src',
  'sandboxes',
  'jobs',
  'config',
  'docs',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]

export interface SabotagedCopy extends AsyncDisposable {
  /**
   * Sabotages the copy, runs the suite that must catch the sabotage, and restores the copy. Not to be called
   * concurrently.
   * @throws if the text to be sabotaged is not in its file exactly once
   */
  runSuite(sabotage: Sabotage): Promise<{ code: number | null; output: string }>
}

/** One copy for all sabotages, because compiled code is cached by path. */
export async function openSabotagedCopy(): Promise<SabotagedCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-sabotage-'))
  for (const part of parts) await linkTree(join(root, part), join(folder, part))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    async runSuite(sabotage) {
      const path = join(folder, sabotage.file)
      const text = await readFile(path, 'utf8')
      const occurrences = text.split(sabotage.find).length - 1
      if (occurrences !== 1)
        throw new Error(
          `The text to replace for "${sabotage.name}" occurs ${occurrences} times in ${sabotage.file} instead of once. Update the sabotage.`,
        )
      // The file is a hard link to the real one, so the link is removed first.
      await rm(path)
      try {
        // A function, because the text may contain the $ patterns of replace().
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

/** Links a folder recursively. Hard links are cheaper than copies; a symbolic link would lead back to the real tree. */
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
          // One failing seed is enough.
          { WEATHER: caughtBy.weather, SEEDS: seedsOf(caughtBy), FAULTS: '1' },
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
            '30000',
            '--testNamePattern',
            caughtBy.title,
            caughtBy.tests,
          ],
          {},
        ]
  return new Promise((done, fail) => {
    const cache = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...withoutVitest(process.env), ...cache, ...env },
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

function seedsOf(caughtBy: Extract<Sabotage['caughtBy'], { weather: string }>): string {
  if ('seed' in caughtBy) return `${caughtBy.seed}-${caughtBy.seed}`
  const { from = 1, seeds } = caughtBy
  return `${from}-${from + seeds - 1}`
}

/** Removes vitest's variables, so that the suite runs as a separate vitest with the default number of cases. */
function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|SEED|NODE_OPTIONS$|CREDSYNC_TEST_SIZE$)/.test(name),
  )
  return Object.fromEntries(own)
}
