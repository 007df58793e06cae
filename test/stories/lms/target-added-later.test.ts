// A target that is added to a pipeline later: `events deliver --all` delivers credentials that were issued before.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { deliver } from '#jobs/lms/deliver.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { completionWait, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

describeWithDatabase('a writeBack that is added later', () => {
  test('gets only new credentials, and the earlier ones once through events deliver --all', async () => {
    await using campus = await openCampus({ writeBack: () => [] })
    const { world } = campus
    const { app } = world
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])

    const path = join(world.folder, 'campus.yaml')
    const file = JSON.parse(await readFile(path, 'utf8'))
    file.pipelines.spring.writeBack = [{ to: 'moodle-profile', system: 'campus', fields: profileFields }]
    await writeFile(path, JSON.stringify(file))
    const parts = { send: app.wire.send, clock: app.clock }
    const learning = openLearningSystems(parseFileSettings(file), { ...parts, gateFor: () => (work) => work() })
    const profileAfterDelivery = async () => {
      await deliver({ ...app, learning }, { pipeline: 'spring' })
      return campus.profileOf(ada)
    }

    expect((await campus.runCli('events', 'deliver')).code).toBe(2)
    const output = await campus.runCli('events', 'deliver', '--pipeline', 'spring', '--json')
    expect(JSON.parse(output.stdout)).toEqual({ deliveries: 0 })
    expect(await profileAfterDelivery()).toEqual({})
    const all = await campus.runCli('events', 'deliver', '--all')
    expect(all.stderr).toContain('0 outcomes for spring to be delivered again, 1 that a target never received')
    expect(await profileAfterDelivery()).toMatchObject({
      credid: world.sandbox.requests()[0]?.credentialId,
      credstatus: 'issued',
    })
    const more = await campus.runCli('events', 'deliver', '--all', '--pipeline', 'spring', '--json')
    expect(JSON.parse(more.stdout)).toEqual({ deliveries: 0, added: 0 })
    expect(world.sandbox.requests()).toHaveLength(1)
  })
})

describeWithDatabase('a writeBack that is removed', () => {
  test('no longer causes a problem, whatever failed before, and no delivery is due', async () => {
    await using campus = await openCampus()
    const ada = campus.enroll('ada')
    campus.lms.refuseWriting(ada)
    await campus.lms.complete(ada, campus.course)
    const { deliveries } = campus.world.app.ledger
    await expect.poll(async () => (await deliveries.counts())[0], completionWait).toMatchObject({ failed: 1 })
    expect((await campus.runCli('events')).code).toBe(3)
    expect((await campus.runCli('status')).stdout).toContain('spring → moodle-profile campus: 1 failed')
    const path = join(campus.world.folder, 'campus.yaml')
    const file = JSON.parse(await readFile(path, 'utf8'))
    file.pipelines.spring.writeBack = []
    await writeFile(path, JSON.stringify(file))
    const { code, stdout } = await campus.runCli('events')
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('moodle-profile')])
    expect((await campus.runCli('status')).stdout).not.toContain('moodle-profile')
    const output = await campus.runCli('events', 'deliver', '--all', '--json')
    expect(JSON.parse(output.stdout)).toEqual({ deliveries: 0, added: 0 })
  })
})
