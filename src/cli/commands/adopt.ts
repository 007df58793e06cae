// credsync adopt: imports the credentials that the report already shows for a pipeline's course into the ledger, so
// that a first list issues no credential twice.

import type { App } from '#src/app/app.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { type AdoptionTally, carryOutAdoption, dryRunAdoption } from '#src/issuing/adopt/adopt.ts'
import { type GatheredPeople, gatherPeople } from '#src/issuing/adopt/gather-people.ts'
import { type CourseReading, readCourseItems } from '#src/issuing/adopt/read-course-items.ts'
import { openRecipientReader } from '#src/issuing/adopt/recipient-reader.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { type Cli, callingAppFor, print, printJson, say, settingsFor } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import {
  adoptionDocument,
  adoptionLines,
  certificateLines,
  namesDocument,
  needsReview,
  otherNameWarning,
  runNotices,
} from '../text/adoption-text.ts'

interface AdoptOptions {
  pipeline: string
  certificate?: string
  plainNumbers?: boolean
  otherName?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  config?: string
}

const progressEveryMs = 5_000

export async function adoptCommand(cli: Cli, options: AdoptOptions): Promise<ExitCode> {
  await using app = await callingAppFor(cli, await settingsFor(cli, options))
  const pipeline = app.pipelines.named(options.pipeline)
  const course = await app.courses.uuidOf(pipeline)
  const reader = openRecipientReader({
    pipeline,
    course,
    fields: await app.issuer.fieldList(course),
    hasher: app.ledger.hasher,
    echoes: await echoesOf(app, course),
    plainNumbers: options.plainNumbers ?? false,
  })
  if (reader.faults.length > 0) throw new UsageError(reader.faults.join('\n'))
  const known = await app.ledger.adoptions.namesOf(course)
  const { certificate: givenName } = options
  const [knownName = null, ...others] = known
  const name = givenName ?? (others.length === 0 ? knownName : null)
  const otherCourses = givenName === undefined ? [] : await app.ledger.adoptions.othersCalled(givenName, course)
  if (otherCourses.length > 0)
    throw new UsageError(
      `The report shows another course of this ledger as “${givenName}” (${otherCourses.join(', ')}). Nothing was changed.`,
    )

  const reading = await readReport(cli, app, name)
  if (cli.signal.aborted) return interrupted(cli, 0)
  if (!reading.complete) return reportIncomplete(cli, options, reading)
  if (name === null || reading.names.get(name) === undefined) return askForName(cli, options, { name, reading })
  const warning = known.includes(name)
    ? null
    : otherNameWarning(name, (await app.issuer.courseDetail(course)).course_name)
  if (warning !== null) say(cli, warning)
  if (warning !== null && options.yes && !options.otherName)
    throw new UsageError(
      'Nothing was adopted. If the certificate does belong to this course, add --other-name, or leave out --yes and answer at the terminal.',
    )
  const gathered = gatherPeople(reading.items, reader)
  return await adopt(cli, app, options, {
    course,
    certificate: name,
    reading,
    gathered,
    comparison: reader.comparison,
  })
}

async function echoesOf({ ledger }: App, course: string) {
  const echoes = (await ledger.probes.find(course))?.findings.echoes
  return echoes && 'found' in echoes ? echoes.found : []
}

async function readReport(cli: Cli, app: App, certificate: string | null): Promise<CourseReading> {
  const sayProgress = throttledSay(cli)
  const { issuer, ledger, clock, tuning } = app
  return await readCourseItems(
    {
      issuer,
      hasher: ledger.hasher,
      now: () => clock.now(),
      pageSize: tuning.pageSize,
      signal: cli.signal,
      progress: (readCount, total) =>
        sayProgress(`reading the report: ${readCount}${total === null ? '' : ` of ${total}`} items`),
    },
    certificate,
  )
}

/** Returns a function that prints progress at most every few seconds, so a short operation prints none. */
function throttledSay(cli: Cli): (line: string) => void {
  let lastPrintedMs = cli.clock.monotonicMs()
  return (line) => {
    if (cli.clock.monotonicMs() - lastPrintedMs < progressEveryMs) return
    lastPrintedMs = cli.clock.monotonicMs()
    say(cli, line)
  }
}

function reportIncomplete(cli: Cli, options: AdoptOptions, { total }: CourseReading): ExitCode {
  say(
    cli,
    `The report could not be read completely: ${countOf(total, 'item')} came, and more were announced. It may have changed while it was being read. Nothing was adopted; try again, preferably while nothing is being issued.`,
  )
  if (options.json) printJson(cli, { pipeline: options.pipeline, complete: false, items: total })
  return exitCode.service
}

function interrupted(cli: Cli, adopted: number): ExitCode {
  say(cli, `Interrupted. ${adopted} adopted; run \`credsync adopt\` again to continue.`)
  return exitCode.interrupted
}

/**
 * The service's documentation does not say which certificate_name belongs to the course, so an operator has to decide.
 */
function askForName(
  cli: Cli,
  options: AdoptOptions,
  { name, reading }: { name: string | null; reading: CourseReading },
): ExitCode {
  const certificates = [...reading.names].sort((a, b) => b[1] - a[1])
  if (options.json) printJson(cli, namesDocument(options.pipeline, reading.total, certificates))
  for (const line of certificateLines(options.pipeline, name, certificates)) say(cli, line)
  return name === null && certificates.length === 0 ? exitCode.ok : exitCode.usage
}

/** What the report shows for the course. */
interface FoundCredentials {
  course: string
  certificate: string
  reading: CourseReading
  gathered: GatheredPeople
  comparison: PersonComparison
}

async function adopt(cli: Cli, app: App, options: AdoptOptions, found: FoundCredentials): Promise<ExitCode> {
  const { course, gathered, comparison } = found
  const adoption = { pipeline: options.pipeline, course, certificateName: found.certificate }
  const { adoptions } = app.ledger
  const expected = await dryRunAdoption(adoptions, course, gathered.people, comparison)
  const changeCount = expected.adopted + expected.taken + expected.surplus + expected.spent + expected.recounted
  const forecast = { tally: expected, dryRun: options.dryRun ?? false, run: null }
  for (const line of adoptionLines({ ...found, ...forecast })) say(cli, line)
  const unfinishedRun = await adoptions.unfinished(adoption)
  if (options.dryRun || (changeCount === 0 && unfinishedRun === null)) {
    if (options.json) printJson(cli, adoptionDocument({ ...adoption, ...found, ...forecast }))
    return codeOf(gathered, expected)
  }
  const people = countOf(expected.adopted + expected.taken, 'person').replace('persons', 'people')
  if (changeCount > 0 && !(await confirm(cli, `Take ${people} into the ledger as known?`, options)))
    return exitCode.usage
  const sayProgress = throttledSay(cli)
  const tally = await carryOutAdoption(adoptions, adoption, gathered.people, {
    comparison,
    signal: cli.signal,
    progress: (done) => sayProgress(`adopting: ${done} of ${gathered.people.length} people`),
  })
  if (cli.signal.aborted) return interrupted(cli, tally.adopted + tally.taken)
  const run = await adoptions.finish(adoption, runNotices({ ...found, tally }))
  await app.ledger.runs.settle()
  await app.ledger.poller.schedule(0, 0)
  await cli.jobs.writeWantedResults(app)
  for (const heldRun of await adoptions.heldRuns(course))
    say(
      cli,
      `${heldRun.sourceName} was held until this adoption: \`credsync approve ${heldRun.id}\` issues the people who are still missing from the ledger.`,
    )
  if (options.json) printJson(cli, adoptionDocument({ ...adoption, ...found, tally, dryRun: false, run }))
  else print(cli, `${tally.adopted + tally.taken} adopted${run ? ` (run ${run})` : ''}, ${tally.known} already known.`)
  return codeOf(gathered, tally)
}

function codeOf(gathered: GatheredPeople, tally: AdoptionTally): ExitCode {
  return needsReview(gathered, tally) ? exitCode.needsPerson : exitCode.ok
}
