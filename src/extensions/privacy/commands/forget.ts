// credsync forget: finds everything that the ledger holds of people, shows it, and has it emptied: by the worker that
// runs on this ledger, or by this process.

import type { App } from '#src/app/app.ts'
import { runningWorkers } from '#src/app/running-workers.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '#src/cli/exit-code.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { contentOfPeople } from '#src/extensions/privacy/ledger/erasure-store.ts'
import type { FoundPerson } from '#src/extensions/privacy/ledger/find-people.ts'
import type { Records } from '#src/extensions/privacy/ledger/person-records.ts'
import { CorrectionInProgressError, type ErasureRequest } from '#src/extensions/privacy/ledger/write-erasure.ts'
import {
  countLines,
  deliveredOutcomeLines,
  issuanceNames,
  lostLine,
  personLines,
  recordNames,
  sourceFileLines,
  whyNobody,
} from './erasure-lines.ts'
import { fieldsOfPipelines, readWhoTexts, whoOf } from './read-who.ts'

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

/** At most this many people are shown one by one. */
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
  const fieldsOf = fieldsOfPipelines(app)
  const people = await withoutForgotten(app, await erasures.find(whos, fieldsOf), flags)
  const isWanted = (person: FoundPerson) => sizeOf(contentOfPeople([person], flags)) > 0
  const wanted = people.filter(isWanted)
  for (const [n, person] of people.entries()) {
    const who = texts[n] ?? ''
    if (!isWanted(person)) say(cli, whyNobody(who, person))
    else if (texts.length <= mostShown) for (const line of personLines(who, person)) say(cli, line)
  }
  const content = contentOfPeople(wanted, flags)
  const counts = await erasures.count(content)
  const deliveredOutcomes = await erasures.deliveredOutcomes(content.ids)
  const sourceFiles = await erasures.sourceFiles({ issuances: content.ids, rows: content.rows })
  const document = { counts, ...flags, deliveredOutcomes, sourceFiles, people: people.map(documentOf) }
  if (wanted.length > 0) {
    say(cli, `${wanted.length} of ${texts.length} found. What would go:`)
    for (const line of countLines(counts, flags)) say(cli, line)
    const notOurs = sourceFileLines(sourceFiles, app.settings.file.files.keepDays)
    for (const line of [...deliveredOutcomeLines(deliveredOutcomes), ...notOurs]) say(cli, line)
  }
  const code = wanted.length === people.length ? exitCode.ok : exitCode.usage
  const whom = wanted.length === 1 ? 'this person' : `these ${wanted.length} people`
  const question = `Forget ${whom}? This cannot be undone.`
  if (wanted.length === 0 || options.dryRun || !(await confirm(cli, question, options))) {
    if (options.json) printJson(cli, { erasure: null, ...document })
    return options.dryRun ? code : exitCode.usage
  }
  const request = { by: decision.by, reason: decision.why, ...flags }
  const chosen = whos.filter((_, n) => wanted.includes(people[n] as FoundPerson))
  const { id, people: written } = await erasures.request(chosen, request, fieldsOf)
  const more = recordNames(contentOfPeople(written, flags)).filter((name) => !recordNames(content).includes(name))
  if (more.length > 0) say(cli, `Came in the meantime, and is part of the erasure: ${more.join(', ')}.`)
  say(cli, `Erasure ${id} is written.`)
  await carryOut(cli, app, [id])
  if (options.json) printJson(cli, { erasure: id, ...document })
  return code
}

/** What was forgotten before is nothing to forget, unless more is wanted now. Later lists may have brought rows. */
async function withoutForgotten(
  { ledger }: Pick<App, 'ledger'>,
  people: readonly FoundPerson[],
  { revokes, releases }: Pick<ErasureRequest, 'revokes' | 'releases'>,
): Promise<FoundPerson[]> {
  const before = await ledger.issuances.forgottenOf(people.flatMap(({ ids }) => ids))
  if (revokes || releases) return [...people]
  return people.map((person) => ({ ...person, ids: person.ids.filter((id) => before.get(id)?.kind !== 'request') }))
}

/** A site that only runs `issue` at night has no worker that would do it. */
async function carryOut(cli: Cli, app: App, ids: readonly string[]): Promise<void> {
  if ((await runningWorkers(app)).length > 0)
    return say(cli, 'The running worker carries it out; `credsync erasures` shows how far it is.')
  await cli.jobs.carryOutErasures(app)
  const open = (await app.ledger.erasures.open()).filter(({ id }) => ids.includes(id))
  for (const { id, waitsFor } of open)
    say(
      cli,
      `Erasure ${id} is open. ${waitsFor ?? ''} It goes on whenever credsync runs: \`credsync issue\`, \`reconcile\` or \`start\`.`,
    )
  if (open.length === 0) say(cli, 'It is carried out.')
}

async function replay(cli: Cli, given: readonly string[], options: ForgetOptions): Promise<ExitCode> {
  if (given.length > 0) throw new UsageError('--replay takes nobody: the people are in the list of erasures.')
  await using app = await appFor(cli, await settingsFor(cli, options))
  return await replayErasures(cli, app, options)
}

/**
 * Requests again the erasures that a restored ledger has lost, from the file that lists them. Can be run again at any
 * time, for example after `adopt` has brought back people whose issuances were lost as well.
 */
export async function replayErasures(
  cli: Cli,
  app: App,
  options: Pick<ForgetOptions, 'by' | 'dryRun' | 'yes' | 'json'>,
): Promise<ExitCode> {
  const { ledger, erasuresFile } = app
  const { erasures: lines } = await erasuresFile.read()
  const lost = await ledger.erasures.lost(lines)
  for (const each of lost) say(cli, lostLine(each))
  if (lost.length === 0) say(cli, `The ledger has every erasure of ${erasuresFile.path}. Nothing was changed.`)
  const question = `Request ${lost.length === 1 ? 'this erasure' : `these ${lost.length} erasures`} again?`
  const isWanted = lost.length > 0 && !options.dryRun && (await confirm(cli, question, options))
  const failures: Error[] = []
  if (isWanted) {
    const { by } = operatorDecision(cli, options)
    for (const { line } of lost) {
      // One that was carried out a moment ago may have brought back what this one is about.
      const [{ missing = [], ...content } = { ids: [], rows: [], completions: [] }] = await ledger.erasures.lost([line])
      const { revokes, releases, erasure, at } = line
      const reason = 'replayed: the ledger was restored to an earlier time'
      const request = { by, reason, revokes, releases, replays: { id: erasure, at, missing } }
      // One that has to wait keeps nobody else's from being requested.
      await ledger.erasures.write(content, request, fieldsOfPipelines(app)).catch((error: unknown) => {
        if (!(error instanceof CorrectionInProgressError)) throw error
        failures.push(error)
        say(cli, `Erasure ${erasure}: ${error.message}`)
      })
    }
    if (failures.length < lost.length)
      await carryOut(
        cli,
        app,
        lost.map(({ line }) => line.erasure),
      )
  }
  const erasures = lost.map(({ line, ids }) => ({ erasure: line.erasure, at: line.at, ids: issuanceNames(ids) }))
  if (options.json) printJson(cli, { replayed: isWanted && failures.length === 0, erasures })
  if (failures.length > 0) return exitCodeOf(failures[0])
  return isWanted || lost.length === 0 || options.dryRun ? exitCode.ok : exitCode.usage
}

const sizeOf = ({ ids, rows, completions, people }: Records & { people: readonly number[] }) =>
  ids.length + rows.length + completions.length + people.length

const recordsDocument = ({ ids, rows, completions }: Records) => ({
  ids: issuanceNames(ids),
  rows,
  completions: completions.length,
})

/** WHO is left out of the document: it says whose data these were. */
function documentOf({ others, ambiguous, ...own }: FoundPerson, n: number): object {
  return {
    who: n + 1,
    ...recordsDocument(own),
    leftOut: recordsDocument(others),
    ambiguous: recordNames(ambiguous),
  }
}
