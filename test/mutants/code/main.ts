// Runs the plain tests against mutants of the code: node test/mutants/code/main.ts [PATH…]. With --since COMMIT only
// lines that differ from it are mutated, and --minutes N ends the run without a verdict after that time. --journals
// FOLDER keeps the verdicts, and continues a run of the same code and tests that was interrupted. --processes 1 leaves
// the other cores alone.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { refusedByCompiler } from './compiler.ts'
import { isHarmless, onOneLine } from './harmless.ts'
import { codeDigest, openJournal, type Verdict } from './journal.ts'
import { type Mutant, mutate } from './mutants.ts'
import { needServers, type Scope, scopes } from './scope.ts'

interface Result extends Scope {
  mutants: readonly Mutant[]
  verdicts: ReadonlyMap<string, Verdict>
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string' },
    minutes: { type: 'string' },
    journals: { type: 'string' },
    processes: { type: 'string', default: '2' },
  },
})
const startAgain = 3
/** In a small change, so many survivors say nothing: some mutants make no difference. */
const tolerated = 3
const folder = values.journals ?? mkdtempSync(join(tmpdir(), 'credsync-mutants-'))
mkdirSync(folder, { recursive: true })
const code = codeDigest('.')
const running = new Set<ReturnType<typeof spawn>>()
const limit = values.minutes === undefined ? null : setTimeout(giveUp, Number(values.minutes) * 60_000)
process.on('exit', cleanUp)

const changed = values.since === undefined ? null : changedSince(values.since)
const todo = scopes
  .map((scope) => ({ scope, files: scope.sources.flatMap(filesIn).filter(isInScope) }))
  .filter(({ files }) => files.length > 0)
if (todo.length === 0) {
  console.log('No mutants: nothing in their scope has changed.')
  process.exit()
}
const results: Result[] = []
await Promise.all(Array.from({ length: Number(values.processes) }, takeTurns))
if (limit) clearTimeout(limit)
process.exitCode = report() ? 0 : 1

async function takeTurns(): Promise<void> {
  for (let next = todo.shift(); next; next = todo.shift()) results.push(await run(next.scope, next.files))
}

async function run(scope: Scope, files: readonly string[]): Promise<Result> {
  const path = join(folder, `${scope.name.replace(/\W/g, '-')}-${code}`)
  const { mutants } = await mutate(files)
  const journal = openJournal(path)
  if (journal.verdicts.size === 0) for (const { id } of await refusedByCompiler(mutants)) journal.end(id, 'refused')
  while ((await runWorker([path, ...files])) === startAgain);
  return { ...scope, mutants, ...openJournal(path) }
}

/** @returns its exit code; a worker that had to be ended is started again */
function runWorker(parameters: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const script = join(import.meta.dirname, 'worker.ts')
  const child = spawn(process.execPath, [script, ...parameters], { stdio: ['ignore', 'ignore', 'inherit'] })
  running.add(child)
  child.on('error', reject)
  child.on('exit', (code, signal) => {
    running.delete(child)
    if (signal !== null || code === startAgain) resolve(startAgain)
    else if (code === 0) resolve(0)
    else reject(new Error(`The worker ended with ${code}.`))
  })
  return promise
}

/** @returns true if every scope has reached its goal */
function report(): boolean {
  const order = scopes.map(({ name }) => name)
  let hasReachedAll = true
  for (const result of results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))) {
    const { name, goal, mutants, verdicts } = result
    const having = (verdict: Verdict) => mutants.filter(({ id }) => verdicts.get(id) === verdict)
    const [untested, hung, refused] = [having('untested').length, having('hung').length, having('refused').length]
    const missed = mutants.filter(({ id }) => ['survived', 'untested'].includes(verdicts.get(id) ?? ''))
    const harmless = missed.filter(isHarmless)
    for (const { file, line, original, replacement } of missed.filter((mutant) => !harmless.includes(mutant)))
      console.log(`  ${file}:${line}  ${onOneLine(original)}  →  ${onOneLine(replacement)}`)
    const counted = mutants.length - refused - having('not asked').length
    const score = counted === 0 ? 100 : (100 * (counted - missed.length)) / counted
    if (score < goal && missed.length > (changed ? tolerated : 0)) hasReachedAll = false
    console.log(
      `── ${name}: ${Math.floor(score * 10) / 10} % of ${counted} mutants noticed (goal ${goal} %), ${hung} of them ` +
        `because a test hung; ${missed.length} survived, ${untested} of them because no test executes them; ` +
        `${harmless.length} of the survivors do no harm; the compiler refused ${refused} others`,
    )
  }
  return hasReachedAll
}

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
    .sort()
}

function isInScope(file: string): boolean {
  if (needServers.includes(file) || (changed && !changed.has(file))) return false
  return positionals.length === 0 || positionals.some((path) => file.startsWith(path))
}

/** @returns the numbers of the changed lines of each file */
function changedSince(commit: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const line of diffWith(commit).split('\n')) {
    const [, file] = /^\+\+\+ b\/(.*)/.exec(line) ?? []
    if (file) {
      lines = new Set()
      found.set(file, lines)
    }
    const [, first, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    for (let at = 0; first && at < Number(count); at++) lines.add(Number(first) + at)
  }
  return found
}

function diffWith(commit: string): string {
  try {
    return execFileSync('git', ['diff', '--unified=0', commit], { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e9 })
  } catch {
    console.log(`No mutants: there is no commit ${commit} to compare with.`)
    process.exit()
  }
}

function giveUp(): void {
  console.log(`No verdict about the mutants: the ${values.minutes} minutes are over.`)
  process.exit()
}

function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL')
  if (values.journals === undefined) rmSync(folder, { recursive: true, force: true })
}
