// Finds the mutants that the compiler refuses: such a fault never gets as far as a test.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Mutant } from './mutants.ts'

/**
 * Writes each mutant as a file of its own, beside the original, so that one run of the compiler sees all.
 * @returns the mutants in which the compiler finds an error
 */
export async function refusedByCompiler(mutants: readonly Mutant[]): Promise<Set<Mutant>> {
  const folder = mkdtempSync(join(tmpdir(), 'credsync-mutants-'))
  try {
    for (const path of ['src', 'jobs', 'config', 'package.json', 'tsconfig.json'])
      cpSync(path, join(folder, path), { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    const byFile = new Map(
      mutants.map((mutant, index) => [mutant.file.replace(/\.ts$/, `.mutant-${index}.ts`), mutant]),
    )
    for (const [file, { file: original, start, end, replacement }] of byFile) {
      const text = readFileSync(original, 'utf8')
      writeFileSync(join(folder, file), text.slice(0, start) + replacement + text.slice(end))
    }
    writeFileSync(
      join(folder, 'tsconfig.mutants.json'),
      JSON.stringify({ extends: './tsconfig.json', files: [...byFile.keys()], include: [] }),
    )
    const errors = byFile.size > 0 ? await filesWithErrors(folder) : []
    return new Set(errors.map((file) => byFile.get(file)).filter((mutant) => mutant !== undefined))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesWithErrors(folder: string): Promise<string[]> {
  const compiler = resolve('node_modules/.bin/tsc')
  const options = { cwd: folder, maxBuffer: 100_000_000 }
  const { promise, resolve: found } = Promise.withResolvers<string[]>()
  execFile(compiler, ['--noEmit', '--pretty', 'false', '-p', 'tsconfig.mutants.json'], options, (_error, output) =>
    // TS1313 is about a statement that was left out behind an `if`: a fault that could be written in another way.
    found([...output.matchAll(/^(\S+\.ts)\(\d+,\d+\): error (?!TS1313:)/gm)].map(([, file = '']) => file)),
  )
  return promise
}
