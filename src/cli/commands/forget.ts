// credsync forget: finds everything that the ledger holds of people, shows it, and requests that it is emptied. The
// worker carries it out.

import type { FoundPerson } from '#src/ledger/erasure/found-person.ts'
import { type ErasedContent, joinedContent, type NewerRecords } from '#src/ledger/erasure/newer-records.ts'
import type { Forgotten } from '#src/ledger/forgotten-people.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { operatorDecision } from '../operator-decision.ts'
import { configuredCourses, readComparisons } from '../people-comparison.ts'
import { readWhoTexts, whoOf } from '../read-whos.ts'
import { deliveredOutcomeLines } from '../text/delivered-outcome-lines.ts'
import {
  countLines,
  issuanceNames,
  leftOutLines,
  newerLines,
  personLines,
  shownWho,
  whyNobody,
} from '../text/erasure-lines.ts'
import { sourceFileLines } from '../text/source-file-lines.ts'
import { replayErasures } from './replay-erasures.ts'

export interface ForgetOptions {
  from?: string
  reason?: string
  by?: string
  revoke?: boolean
  release?: boolean
  replay?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  config?: string
}

/** Up to so many people are shown one by one. */
const mostShown = 50

export async function forgetCommand(cli: Cli, given: readonly string[], options: ForgetOptions): Promise<ExitCode> {
  if (options.replay) return replay(cli, given, options)
  const decision = operatorDecision(cli, options)
  if (decision.why.trim() === '' && !options.dryRun)
    throw new UsageError('--reason is missing: it is stored with the erasure. Do not name the person in it.')
  const texts = await readWhoTexts(cli.cwd, given, options.from)
  const flags = { revokes: options.revoke ?? false, releases: options.release ?? false }
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { erasures } = app.ledger
  const whos = []
  for (const text of texts) whos.push(await whoOf(app.ledger, text))
  const comparisonOf = await readComparisons(app, (line) => say(cli, line))
  const searchedTo = await erasures.searchedTo()
  const people = await erasures.find(whos, comparisonOf)
  const earlier = await erasures.forgottenOf(people.flatMap(({ ids }) => ids))
  // Of those whose retention ended, later lists may have brought rows.
  const isLeft = (id: number) => flags.releases || flags.revokes || earlier.get(id)?.kind !== 'request'
  const found = people.map((person) => withEarlier({ ...person, ids: person.ids.filter(isLeft) }, flags.releases))
  const wanted = found.filter(hasAnything)
  for (const [n, person] of found.entries()) {
    const who = texts[n] ?? ''
    if (hasAnything(person)) {
      if (texts.length <= mostShown) for (const line of personLines(who, person)) say(cli, line)
    } else {
      const before = forgottenBefore(who, people[n], earlier)
      const lines = before === null ? [whyNobody(who, person)] : [before, ...leftOutLines(person.leftOut)]
      for (const line of lines) say(cli, line)
    }
  }
  const content = {
    ...joinedContent(...wanted),
    traces: unique(wanted.flatMap(({ earlier }) => earlier.traces)),
  }
  const counts = await erasures.count(content)
  const deliveredOutcomes = await erasures.deliveredOutcomes(content.ids)
  const sourceFiles = await erasures.sourceFiles({ issuances: content.ids, rows: content.rows })
  const document = {
    counts,
    ...flags,
    deliveredOutcomes,
    sourceFiles,
    people: found.map((person, n) => documentOf(n, person)),
  }
  if (wanted.length > 0) {
    say(cli, `${wanted.length} of ${texts.length} found. What would go:`)
    for (const line of countLines(counts, flags)) say(cli, line)
    const notOurs = sourceFileLines(sourceFiles, app.settings.file.files.keepDays)
    for (const line of [...deliveredOutcomeLines(deliveredOutcomes), ...notOurs]) say(cli, line)
  }
  const code = wanted.length === found.length ? exitCode.ok : exitCode.usage
  const whom = wanted.length === 1 ? 'this person' : `these ${wanted.length} people`
  const question = `Forget ${whom}? This cannot be undone.`
  if (wanted.length === 0 || options.dryRun || !(await confirm(cli, question, options))) {
    if (options.json) printJson(cli, { erasure: null, ...document })
    return options.dryRun ? code : exitCode.usage
  }
  const courses = await configuredCourses(app)
  const request = { ...content, by: decision.by, reason: decision.why, ...flags, comparisonOf, courses, searchedTo }
  const { id, newer } = await erasures.request(request)
  for (const line of newerLines(newer, found)) say(cli, line)
  say(cli, `Erasure ${id} is written. It is carried out while \`credsync start\` runs; \`credsync erasures\` shows it.`)
  if (options.json) printJson(cli, { erasure: id, ...document, newer: newerDocument(newer) })
  return code
}

async function replay(cli: Cli, given: readonly string[], options: ForgetOptions): Promise<ExitCode> {
  if (given.length > 0) throw new UsageError('--replay takes nobody: the people are in the list of erasures.')
  await using app = await appFor(cli, await settingsFor(cli, options))
  const comparisonOf = await readComparisons(app, (line) => say(cli, line))
  return await replayErasures(cli, app, { ...options, comparisonOf, courses: await configuredCourses(app) })
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** A release takes along what was forgotten before. Otherwise nothing is left of it to forget. */
function withEarlier(person: FoundPerson, releases: boolean): FoundPerson {
  const { earlier, rows, completions, leftOut } = person
  if (!releases) return { ...person, earlier: { ...earlier, traces: [] } }
  return {
    ...person,
    rows: [...rows, ...earlier.rows],
    completions: unique([...completions, ...earlier.completions]),
    leftOut: {
      ...leftOut,
      rows: [...leftOut.rows, ...earlier.leftOut.rows],
      completions: unique([...leftOut.completions, ...earlier.leftOut.completions]),
    },
  }
}

const hasAnything = ({ ids, rows, completions, earlier }: FoundPerson) =>
  ids.length + rows.length + completions.length + earlier.traces.length > 0

function forgottenBefore(
  who: string,
  person: FoundPerson | undefined,
  earlier: ReadonlyMap<number, Forgotten>,
): string | null {
  const [id] = person?.ids ?? []
  const day = (id === undefined ? person?.earlier.day : earlier.get(id)?.day) ?? null
  return day === null
    ? null
    : `${shownWho(who)}: forgotten on ${day}${id === undefined ? '' : ` (i${id})`}. --release deletes the keyed hashes as well, and a later list issues the person again.`
}

const newerDocument = ({ leftOut, ...own }: NewerRecords) => ({ ...contentOf(own), leftOut: contentOf(leftOut) })

const contentOf = ({ ids, rows, completions }: ErasedContent) => ({
  ids: issuanceNames(ids),
  rows,
  completions: completions.length,
})

/** WHO is left out of the document: it says whose data these were. */
function documentOf(n: number, { ids, rows, completions, leftOut, ambiguous }: FoundPerson): object {
  return {
    who: n + 1,
    ...contentOf({ ids, rows, completions }),
    leftOut: contentOf(leftOut),
    ambiguous: issuanceNames(ambiguous),
  }
}
