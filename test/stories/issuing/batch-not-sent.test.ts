// Conditions under which a batch that is ready is not sent. If one were ignored, credentials could be issued twice, so
// `npm test` runs this file as well.

import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BaselineError, issue } from '#jobs/issue.ts'
import { markFile } from '#src/ledger/mark/keep-in-file.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import {
  backUpWorld,
  expectEachOnce,
  fiveTimes,
  neverAborted,
  openLoggedWorld,
  prepareBatch,
  statesOf,
  stopReason,
} from '#test/support/rolled-back-world.ts'
import { openWorld, timesIssued } from '#test/support/world.ts'

describeWithDatabase('a batch is not sent', () => {
  test('while the report cannot be read to its end', async () => {
    await using world = await openWorld()
    const attemptId = await prepareBatch(world)
    const { app } = world
    const reportPages: typeof app.issuer.reportPages = async function* (query) {
      for await (const page of app.issuer.reportPages(query)) yield { ...page, walk: 'cut' }
    }
    const issuer = { ...app.issuer, reportPages }
    await app.database.query(`UPDATE scan SET started_at = started_at - interval '1 day'`)
    await expect(issue({ ...app, issuer }, { attemptId }, neverAborted)).rejects.toBeInstanceOf(BaselineError)
    expect(await app.ledger.attempts.load(attemptId)).not.toBeNull()
    expect(timesIssued(world.sandbox).size).toBe(0)
  })

  test('if the ledger has lost the record of the last call, and its rows are looked up in the report', async () => {
    await using world = await openLoggedWorld({ sandbox: { reportLagMs: 3_600_000 } })
    const attemptId = await prepareBatch(world)
    const backup = await backUpWorld(world)
    await issue(world.app, { attemptId }, neverAborted)
    await backup.restore()
    expect(await statesOf(world)).toEqual(fiveTimes('pending'))
    await issue(world.app, { attemptId }, neverAborted)
    expect(await statesOf(world)).toEqual(fiveTimes('unconfirmed'))
    expect(await stopReason(world)).toContain('has no record of the last call that this installation sent')
    expectEachOnce(world, 5)
  })

  test('if the high-water mark cannot be written, and its rows wait', async () => {
    await using world = await openWorld()
    const attemptId = await prepareBatch(world)
    await issue(world.app, { attemptId }, neverAborted)
    const next = await prepareBatch(world, 5, 100)
    await rename(markFile(world.folder), join(world.folder, 'away'))
    await mkdir(markFile(world.folder))
    await issue(world.app, { attemptId: next }, neverAborted)
    expect((await statesOf(world)).slice(5)).toEqual(fiveTimes('pending'))
    const { rows } = await world.app.database.query('SELECT error_code AS code FROM attempt WHERE id = $1', [next])
    expect(rows).toEqual([{ code: 'NO_MARK' }])
    expectEachOnce(world, 5)
  })
})
