// What a process found out about its mutants, line by line in a file: it outlives a process that a mutant hangs.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `noticed`: a test failed. `hung`: the tests did not end, which also counts as noticed. `survived`: every test that
 * executes it passed. `untested`: no test executes it. `refused`: it does not compile. `not asked`: its line was
 * not changed. `alone`: to be tried in a process of its own.
 */
export type Verdict = 'refused' | 'not asked' | 'noticed' | 'hung' | 'survived' | 'untested' | 'alone'

export interface Journal {
  verdicts: Map<string, Verdict>
  /** Records that a mutant is about to be tried. */
  begin(id: string): void
  end(id: string, verdict: Verdict): void
}

/** Identifies the code and the tests below a folder. A mutant's id is its number, so it says nothing about other code. */
export function codeDigest(root: string): string {
  const hash = createHash('sha256')
  for (const file of globSync('{config,jobs,src,test}/**/*.ts', { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

export function openJournal(path: string): Journal {
  const verdicts = new Map<string, Verdict>()
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  for (const line of lines) {
    const [, id = '', verdict] = /^(\d+) (.*)$/.exec(line) ?? []
    verdicts.set(id, verdict === 'begun' ? 'hung' : (verdict as Verdict))
  }
  const end = (id: string, verdict: Verdict) => {
    verdicts.set(id, verdict)
    appendFileSync(path, `${id} ${verdict}\n`)
  }
  return { verdicts, begin: (id) => appendFileSync(path, `${id} begun\n`), end }
}
