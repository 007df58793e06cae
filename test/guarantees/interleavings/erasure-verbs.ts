// Verbs of the ledger that forget people. Each begins with an erasure of its own, because the scene has none. The people
// wait in a prepared batch (15, 16), are issued (3), rejected (7) and failed (10). Completions of theirs are invalid, in
// a refused run, and in no run yet.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { CorrectionInProgressError } from '#src/extensions/privacy/ledger/write-erasure.ts'
import { writeErasure } from '#test/support/write-erasure.ts'
import type { Scene } from './scene.ts'
import { idsOfPeople, type Verb } from './verb.ts'

/** Another verb has requested a correction of one of the people. */
const mayThrow = (error: Error) => error instanceof CorrectionInProgressError

function request(ledger: WholeLedger, scene: Scene, flags: { revokes?: boolean; releases?: boolean } = {}) {
  const { runs } = scene
  return writeErasure(ledger, {
    ...{ ids: idsOfPeople(scene, 16, 10, 7, 3, 15), rows: [{ run: runs.settled, row: 2 }], completions: [1, 2, 3] },
    ...flags,
  })
}

const after = (
  name: string,
  run: (ledger: WholeLedger, id: string) => Promise<unknown>,
  flags?: { revokes?: boolean; releases?: boolean },
): Verb => ({
  ...{ name: `erasures.${name}`, mayThrow },
  run: async (ledger, scene) => run(ledger, await request(ledger, scene, flags)),
})

export const erasureVerbs: readonly Verb[] = [
  {
    ...{ name: 'erasures.request', mayThrow },
    run: async (ledger, scene) => {
      const [issuance = 0] = idsOfPeople(scene, 16)
      const who = { text: `i${issuance}`, issuance, row: null, learner: null }
      const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
      return (await ledger.erasures.request([who], asked, () => null)).people
    },
  },
  {
    ...{ name: 'erasures.write', mayThrow },
    run: async (ledger, scene) => (await ledger.erasures.content(await request(ledger, scene))).issuances,
  },
  after('withdraw', (ledger, id) => ledger.erasures.withdraw(id)),
  after('revoke', (ledger, id) => ledger.erasures.revoke(id), { revokes: true }),
  after('noteWaiting', (ledger, id) => ledger.erasures.noteWaiting(id, 'It waits.')),
  after('emptyEvents', (ledger, id) => ledger.erasures.emptyEvents(id, {})),
  after('emptyNext', (ledger, id) => ledger.erasures.emptyNext(id)),
  after('listRuns', async (ledger, id) => {
    await ledger.erasures.emptyNext(id)
    await ledger.erasures.listRuns(id)
  }),
  {
    ...{ name: 'erasures.noteCleaned', mayThrow },
    run: async (ledger, scene) => {
      const id = await request(ledger, scene)
      await ledger.erasures.emptyNext(id)
      await ledger.erasures.listRuns(id)
      await ledger.erasures.noteCleaned(scene.runs.settled, [id])
    },
  },
  {
    ...{ name: 'archives.noteRemoved', mayThrow },
    run: async (ledger, scene) => {
      await request(ledger, scene)
      await ledger.archives.noteRemoved(idsOfPeople(scene, 3))
    },
  },
  after(
    'end',
    async (ledger, id) => {
      await ledger.erasures.emptyNext(id)
      return ledger.erasures.end(id)
    },
    { releases: true },
  ),
]
