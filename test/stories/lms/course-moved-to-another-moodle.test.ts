// A pipeline whose course moved to another Moodle site, where the same user id belongs to another person. No credential
// is shown in another person's profile.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { deliver } from '#jobs/lms/deliver.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { completionWait, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

describeWithDatabase('a pipeline that has moved to another Moodle site', () => {
  test('shows earlier credentials in their owners’ profiles, found by their ids in the new Moodle', async () => {
    await using campus = await openCampus()
    const { app, folder, sandbox } = campus.world
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })

    const college = await openMoodleSandbox({ reviewsEnrollments: true }, systemClock)
    onTestFinished(() => college.close())
    for (const shortname of Object.keys(profileFields)) college.addProfileField({ shortname, name: shortname })
    const { id: course } = college.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety' })
    const zoe = college.addLearner({ firstname: 'Zoe', lastname: 'Ray', email: 'zoe@example.org' }).id
    expect(zoe).toBe(ada)
    const adaInCollege = college.addLearner({ firstname: 'ada', lastname: 'Lovelace', email: 'ada@example.org' }).id
    college.enroll(adaInCollege, course)

    const path = join(folder, 'campus.yaml')
    const file = JSON.parse(await readFile(path, 'utf8'))
    file.systems.college = { ...file.systems.campus, url: college.url, token: college.token }
    file.pipelines.spring.source.system = 'college'
    file.pipelines.spring.writeBack[0].system = 'college'
    await writeFile(path, JSON.stringify(file))
    const tools = { send: app.wire.send, clock: app.clock }
    const learning = openLearningSystems(parseFileSettings(file), { ...tools, gateFor: () => (work) => work() })
    const profileAfterDelivery = async (learner: number) => {
      await deliver({ ...app, learning }, { pipeline: 'spring' })
      return Object.fromEntries((await learning.client(moodleSystem, 'college').readProfile(learner)) ?? [])
    }

    const all = await campus.runCli('events', 'deliver', '--all', '--json')
    expect(JSON.parse(all.stdout)).toEqual({ deliveries: 0, added: 0 })
    expect(await profileAfterDelivery(zoe)).toEqual({})

    await college.complete(adaInCollege, course)
    await app.ledger.learningSystems.register(['college'])
    await pollLms({ ...app, learning }, { system: 'college' })
    const skippedRuns = async () =>
      (await app.database.query<{ id: string }>(`SELECT run_id AS id FROM run_row WHERE outcome = 'skipped'`)).rows
    await expect.poll(skippedRuns, completionWait).toHaveLength(1)
    await app.ledger.deliveries.request((await skippedRuns())[0]?.id ?? '', learning.targetsOf('spring'))
    expect(await profileAfterDelivery(zoe)).toEqual({})
    expect(await profileAfterDelivery(adaInCollege)).toMatchObject({ credstatus: 'issued' })
    expect(sandbox.requests()).toHaveLength(1)
  })
})
