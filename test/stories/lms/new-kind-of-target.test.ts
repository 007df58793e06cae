// A kind of target that only this file defines: its registry entry alone gives it settings, a name and a check, and it
// receives deliveries over HTTP.

import { expect, test } from 'vitest'
import { z } from 'zod'
import type { PipelineSettings } from '#config/schema.ts'
import { deliver } from '#jobs/lms/deliver.ts'
import { checkTargets } from '#src/extensions/lms/check/check-targets.ts'
import { writeBackSchemaOf } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { credentialProperty, textFor } from '#src/extensions/lms/targets/credential-text.ts'
import { deliveryFailure } from '#src/extensions/lms/targets/delivery-failure.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import { type DueWithLearner, defineTarget } from '#src/extensions/lms/targets/target-kind.ts'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'

const board = defineTarget({
  to: 'board',
  settings: z.strictObject({ to: z.literal('board'), url: z.url(), shows: credentialProperty }),
  system: null,
  address: 'url',
  showsOne: true,
  name: ({ url }) => `board ${new URL(url).pathname}`,
  describe: () => 'a board',
  propertiesToShow: ({ shows }) => [shows],
  async deliver({ send }, { url, shows }, due: DueWithLearner) {
    const body = JSON.stringify({ learner: due.completion.learner, text: textFor(due, shows) })
    const headers = { 'content-type': 'application/json' }
    const answer = await send({ method: 'POST', url, headers, body, deadlineMs: 60_000 })
    if (answer.kind === 'failed' || answer.status === 503) return deliveryFailure('away', 'The board is away.')
    if (answer.status === 403) return deliveryFailure('refused', 'The board refuses us.')
    return answer.status === 200 ? { kind: 'verified' } : deliveryFailure('record', 'The board has no such learner.')
  },
  check: {
    name: 'board',
    run: (_, { url }) => [{ what: `it is at ${new URL(url).pathname}`, notice: 'nothing was written there' }],
  },
})
const kinds = [...targetKinds, board] as const

describeWithDatabase('a new kind of target', () => {
  test('receives deliveries, and the results are stored like those of every other kind', async () => {
    await using server = await openServer()
    await using campus = await openCampus({ writeBack: () => [] })
    const { app, sandbox } = campus.world
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])

    const file = fileWith(app.settings.file, [{ to: 'board', url: `${server.url}/wall`, shows: 'credential' }])
    const { send } = app.wire
    const parts = {
      send,
      clock: app.clock,
      random: () => 0.5,
      gateFor:
        () =>
        <T>(work: () => Promise<T>) =>
          work(),
    }
    const learning = openLearningSystems(file, { ...parts, targetKinds: kinds })
    expect(await app.ledger.deliveries.wantAll('spring', learning.targetsOf('spring'))).toBe(1)
    const outcome = async () => {
      await app.ledger.deliveries.again('spring', learning.targetsOf('spring'))
      await deliver({ ...app, learning }, { pipeline: 'spring' })
      return (await app.ledger.deliveries.counts()).find(({ target }) => target === 'board /wall')
    }

    server.on('/wall', json(503, {}), json(403, {}), json(422, {}), json(200, {}))
    expect(await outcome()).toMatchObject({ pending: 1, refused: 0, problem: 'The board is away.' })
    expect(await outcome()).toMatchObject({ pending: 1, refused: 1, problem: 'The board refuses us.' })
    expect(await outcome()).toMatchObject({ failed: 1, problem: `Learner ${ada}: The board has no such learner.` })
    expect(await outcome()).toMatchObject({ verified: 1, problem: null })
    const expected = { learner: String(ada), text: sandbox.requests()[0]?.credentialId }
    expect(server.seen.map(({ body }) => JSON.parse(body))).toEqual([expected, expected, expected, expected])
  })

  test('is checked by `credsync check`', async () => {
    await using campus = await openCampus({ idle: true, writeBack: () => [] })
    const { file } = campus.world.app.settings
    const writeBack = [{ to: 'board', url: 'http://board.example/wall', shows: 'link' }]
    const parts = { settings: { file: fileWith(file, writeBack) }, ledger: null }
    expect(
      await checkTargets(
        parts,
        {
          ...{ pipeline: 'spring', system: null, course: null },
          learning: { client: () => expect.fail('no system is needed') },
        },
        kinds,
      ),
    ).toMatchObject([
      {
        name: 'board',
        pipeline: 'spring',
        ok: true,
        what: 'it is at /wall',
        notices: ['nothing was written there'],
      },
    ])
  })

  test('has its settings parsed with those of other kinds', () => {
    const schema = writeBackSchemaOf(kinds)
    expect(schema.safeParse([{ to: 'board', url: 'https://board.example/', shows: 'grade' }]).success).toBe(false)
    expect(schema.safeParse([{ to: 'moodle-profile', system: 'campus', fields: {} }]).success).toBe(true)
  })
})

function fileWith<File extends { pipelines: Record<string, PipelineSettings> }>(
  file: File,
  writeBack: readonly object[],
): File {
  const { spring } = file.pipelines
  if (!spring) throw new Error('The configuration has no pipeline spring.')
  // The built-in kinds do not include this kind.
  const read = writeBackSchemaOf(kinds).parse(writeBack) as unknown as PipelineSettings['writeBack']
  return { ...file, pipelines: { ...file.pipelines, spring: { ...spring, writeBack: read } } }
}

async function openServer() {
  const server = await openScriptedServer()
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}
