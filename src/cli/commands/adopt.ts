// credsync adopt: what the report already holds for a pipeline's course is taken into the ledger, so that a first list issues nobody twice.

import { type AdoptionTally, carryOutAdoption, rehearseAdoption } from '#src/adopt/adopt.ts'
import { chooseCertificate } from '#src/adopt/choose-certificate.ts'
import { type Gathered, gatherPeople } from '#src/adopt/gather-people.ts'
import { type CourseReading, readCourse } from '#src/adopt/read-course.ts'
import { openRecipientReader } from '#src/adopt/shown-recipient.ts'
import type { App } from '#src/app.ts'
import { countOf } from '#src/write-back/count-of.ts'
import {
  adoptionDocument,
  adoptionLines,
  certificateLines,
  needsLook,
  otherNameWarning,
  runNotices,
} from '../adoption-words.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { answer, answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

export interface AdoptOptions {
  pipeline: string
  certificate?: string
  plainNumbers?: boolean
  otherName?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  config?: string
}

const tellEveryMs = 5_000

export async function adoptCommand(cli: Cli, options: AdoptOptions): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
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
  const { certificate: asked } = options
  const elsewhere = asked === undefined ? [] : await app.ledger.adoptions.othersCalled(asked, course)
  const { name, refusal } = chooseCertificate(asked, known, elsewhere)
  if (refusal) throw new UsageError(refusal)

  const reading = await readReport(cli, app, name)
  if (cli.signal.aborted) return interrupted(cli, 0)
  if (!reading.complete) return tellIncomplete(cli, options, reading)
  if (name === null || reading.names.get(name) === undefined) return askForName(cli, options, { name, reading })
  const warning = known.includes(name)
    ? null
    : otherNameWarning(name, (await app.issuer.courseDetail(course)).course_name)
  if (warning !== null) say(cli, warning)
  if (warning !== null && options.yes && !options.otherName)
    throw new UsageError(
      'Nothing was adopted. If it is this course all the same, say --other-name as well, or leave --yes out and answer at the terminal.',
    )
  const gathered = gatherPeople(reading.items, reader)
  return await adopt(cli, app, options, { course, certificate: name, reading, gathered })
}

async function echoesOf({ ledger }: App, course: string) {
  const echoes = (await ledger.probeOf(course))?.findings.echoes
  return echoes && 'found' in echoes ? echoes.found : []
}

async function readReport(cli: Cli, app: App, certificate: string | null): Promise<CourseReading> {
  const tell = nowAndThen(cli)
  const { issuer, ledger, clock, tuning } = app
  return await readCourse(
    {
      issuer,
      hasher: ledger.hasher,
      now: () => clock.now(),
      pageSize: tuning.pageSize,
      signal: cli.signal,
      progress: (read, of) => tell(`reading the report: ${read}${of === null ? '' : ` of ${of}`} items`),
    },
    certificate,
  )
}

/** Says how far it is, and nothing where it is done soon. */
function nowAndThen(cli: Cli): (line: string) => void {
  let toldAt = cli.clock.monotonicMs()
  return (line) => {
    if (cli.clock.monotonicMs() - toldAt < tellEveryMs) return
    toldAt = cli.clock.monotonicMs()
    say(cli, line)
  }
}

function tellIncomplete(cli: Cli, options: AdoptOptions, { total }: CourseReading): ExitCode {
  say(
    cli,
    `The report could not be read to its end: ${countOf(total, 'item')} came, and more were promised. It may have moved while it was read. Nothing was adopted; try again, best while nobody issues.`,
  )
  if (options.json) answerJson(cli, { pipeline: options.pipeline, complete: false, items: total })
  return exitCode.service
}

function interrupted(cli: Cli, adopted: number): ExitCode {
  say(cli, `Interrupted. ${adopted} adopted; say \`credsync adopt\` again, and it goes on.`)
  return exitCode.interrupted
}

/** Which certificate_name is the course's, the service's document does not say; so a person does. */
function askForName(
  cli: Cli,
  options: AdoptOptions,
  { name, reading }: { name: string | null; reading: CourseReading },
): ExitCode {
  const certificates = [...reading.names].sort((a, b) => b[1] - a[1])
  if (options.json)
    answerJson(cli, {
      pipeline: options.pipeline,
      complete: true,
      items: reading.total,
      certificates: certificates.map(([each, items]) => ({ name: each, items })),
    })
  for (const line of certificateLines(options.pipeline, name, certificates)) say(cli, line)
  return name === null && certificates.length === 0 ? exitCode.ok : exitCode.usage
}

interface Found {
  course: string
  certificate: string
  reading: CourseReading
  gathered: Gathered
}

async function adopt(cli: Cli, app: App, options: AdoptOptions, found: Found): Promise<ExitCode> {
  const { course, gathered } = found
  const of = { pipeline: options.pipeline, course, certificate: found.certificate }
  const { adoptions } = app.ledger
  const would = await rehearseAdoption(adoptions, course, gathered.people)
  const writes = would.adopted + would.taken + would.surplus + would.spent + would.recounted
  const rehearsed = { tally: would, dryRun: options.dryRun ?? false, run: null }
  for (const line of adoptionLines({ ...found, ...rehearsed })) say(cli, line)
  const open = await adoptions.unfinished(of)
  if (options.dryRun || (writes === 0 && open === null)) {
    if (options.json) answerJson(cli, adoptionDocument({ ...of, ...found, ...rehearsed }))
    return codeOf(gathered, would)
  }
  if (
    writes > 0 &&
    !(await confirm(
      cli,
      `Take ${countOf(would.adopted + would.taken, 'person').replace('persons', 'people')} into the ledger as known?`,
      options,
    ))
  )
    return exitCode.usage
  const tell = nowAndThen(cli)
  const tally = await carryOutAdoption(adoptions, of, gathered.people, {
    signal: cli.signal,
    progress: (done) => tell(`adopting: ${done} of ${gathered.people.length} people`),
  })
  if (cli.signal.aborted) return interrupted(cli, tally.adopted + tally.taken)
  const run = await adoptions.finish(of, runNotices({ ...found, tally }))
  await app.ledger.settleRuns()
  await app.ledger.schedulePoller(0, 0)
  await cli.doing.writeWantedResults(app)
  if (options.json) answerJson(cli, adoptionDocument({ ...of, ...found, tally, dryRun: false, run }))
  else answer(cli, `${tally.adopted + tally.taken} adopted${run ? ` (run ${run})` : ''}, ${tally.known} known already.`)
  return codeOf(gathered, tally)
}

function codeOf(gathered: Gathered, tally: AdoptionTally): ExitCode {
  return needsLook(gathered, tally) ? exitCode.needsPerson : exitCode.ok
}
