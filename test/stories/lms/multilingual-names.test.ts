// Multilingual names: Moodle's web services return them raw, and no credential may contain the tags of Moodle's
// filters.

import { expect, test } from 'vitest'
import type { FileSettings } from '#config/schema.ts'
import { intake } from '#jobs/intake.ts'
import { registerLms } from '#jobs/lms/learning-jobs.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { retryRefused } from '#jobs/lms/run-learning-job.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { type Campus, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const spans = (de: string, en: string) =>
  `<span lang="de" class="multilang">${de}</span><span lang="en" class="multilang">${en}</span>`
const braces = (de: string, en: string) => `{mlang de}${de}{mlang}{mlang other}${en}{mlang}`

/** The pipeline uses the name of the course as the learner's last name. */
const columns = {
  Email: 'email',
  'Primary Value': { value: 'Email' },
  'First Name': 'firstname',
  'Last Name': 'coursename',
}

/** The tools of a worker that is started with the language. */
function withLanguage({ world: { app, settings } }: Campus, language: string) {
  const { campus: moodle, ...others } = settings.file.systems
  const file = { ...settings.file, systems: { ...others, campus: { ...moodle, language } } } as FileSettings
  const parts = { send: app.wire.send, clock: app.clock, random: () => 0.5 }
  const learning = openLearningSystems(file, { ...parts, gateFor: () => (work) => work() })
  return { ...app, ...learningParts(app, learning) }
}

describeWithDatabase('a name in several languages', () => {
  test('is refused with a message if the language is unknown, and accepted once a language is configured', async () => {
    // The site has no such filter and shows both languages one after the other.
    const options = { columns, courseFields: { fullname: spans('Brandschutz', 'Fire safety') } }
    await using campus = await openCampus({ ...options, idle: true })
    const { app } = campus.world
    await campus.lms.complete(campus.enroll('ada', { firstname: braces('Jörg', 'George') }), campus.course)
    const runs = () => campus.world.app.ledger.runs.list()
    await registerLms(app)
    await pollLms(app, { system: 'campus' })
    await intake(app, { runId: (await runs())[0]?.id ?? '' })
    expect((await runs())[0]).toMatchObject({ accepted: 0, invalid: 1 })
    const { stdout } = await campus.runCli('status', '--run', (await runs())[0]?.id ?? '')
    expect(stdout).toContain('1 row: “First Name” is written in several languages')
    expect(stdout).toContain('1 row: “Last Name” is written in several languages')
    expect(stdout).toContain('systems: NAME: { language: de }')
    expect(campus.world.sandbox.requests()).toEqual([])

    // This runs at the next start of the worker.
    const tools = withLanguage(campus, 'de')
    await app.ledger.completions.compareNow()
    await retryRefused(tools, { pipeline: 'spring' })
    const [retriedRun] = await runs()
    await intake(tools, { runId: retriedRun?.id ?? '' })
    expect((await runs())[0]).toMatchObject({ accepted: 1, invalid: 0 })
  })
})
