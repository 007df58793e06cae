// Multilingual names: Moodle's web services return them raw, and no credential may contain the tags of Moodle's
// filters.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { registerLms } from '#jobs/lms/learning-jobs.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const fullname = '<span lang="de" class="multilang">Brandschutz</span><span lang="en" class="multilang">Fire</span>'

/** The pipeline uses the name of the course as the learner's last name. */
const columns = {
  Email: 'email',
  'Primary Value': { value: 'Email' },
  'First Name': 'firstname',
  'Last Name': 'coursename',
}

describeWithDatabase('a name in several languages', () => {
  test('is refused, and the message says what to do', async () => {
    await using campus = await openCampus({ columns, courseFields: { fullname }, idle: true })
    const { app } = campus.world
    const firstname = '{mlang de}Jörg{mlang}{mlang other}George{mlang}'
    await campus.lms.complete(campus.enroll('ada', { firstname }), campus.course)
    await registerLms(app)
    await pollLms(app, { system: 'campus' })
    const [run] = await app.ledger.runs.list()
    await intake(app, { runId: run?.id ?? '' })
    expect((await app.ledger.runs.list())[0]).toMatchObject({ accepted: 0, invalid: 1 })
    const { stdout } = await campus.runCli('status', '--run', run?.id ?? '')
    expect(stdout).toContain('1 row: “First Name” is written in several languages')
    expect(stdout).toContain('1 row: “Last Name” is written in several languages')
    expect(campus.world.sandbox.requests()).toEqual([])
  })
})
