// The ledger verbs that write, each applied to every kind of row, attempt, run and revocation in the scene that it may
// affect.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { Witness } from '#src/domain/credential/high-water-mark.ts'
import { afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import { ForgottenError } from '#src/ledger/forgotten-people.ts'
import { AdoptionOvertakenError } from '#src/ledger/report/adoptions.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import { erasureVerbs } from './erasure-verbs.ts'
import { nonSendingVerbs } from './non-sending-verbs.ts'
import { retentionVerbs } from './retention-verbs.ts'
import {
  adoptedItem,
  changedItems,
  claimOf,
  correctionOf,
  decision,
  instance,
  keyOf,
  movesOf,
  nothingNew,
  type Scene,
  shown,
} from './scene.ts'
import { idsOfPeople, type Verb } from './verb.ts'

/** A high-water mark of a call that this ledger does not contain. */
const unknownMark: Witness = {
  ...{ where: 'the file', other: null, isUnreadable: false },
  mark: {
    ...{ era: 0, number: 999, token: instance, ledger: instance, environment: 'development' },
    ...{ service: 'https://service.example', at: '2026-01-01T00:00:00Z', system: null },
  },
}

const claimOptions = (attemptId: number) => ({ attemptId, instance, requestSha256: 'sha', deadlineMs: 3_600_000 })
const answerOf = (kind: 'accepted' | 'unknown' | 'throttled' | 'too_large') => {
  const end = { class: kind, status: null, code: null, words: 'words', retryAfterMs: null }
  return [end, afterSending(end, 2)] as const
}

const sending: Verb[] = [
  { name: 'attempts.prepare', run: (ledger) => ledger.attempts.prepare('spring', 2) },
  {
    ...{ name: 'attempts.prepare', variant: 'several' },
    run: (ledger) => ledger.attempts.prepare('spring', 2, { batches: 3 }),
  },
  {
    name: 'attempts.prepare',
    variant: 'canary',
    run: (ledger) => ledger.attempts.prepare('spring', 9, { canary: true }),
  },
  { name: 'attempts.claim', run: (ledger, { attempts }) => ledger.attempts.claim(claimOptions(attempts.prepared)) },
  { name: 'attempts.drop', run: (ledger, { attempts }) => ledger.attempts.drop(attempts.prepared, 'because', 1_000) },
  ...(['accepted', 'unknown', 'throttled', 'too_large'] as const).map((kind) => ({
    ...{ name: 'attempts.end', variant: kind },
    run: (ledger: WholeLedger, { attempts, sendingClaims }: Scene) =>
      ledger.attempts.end({ attemptId: attempts.sending, claim: sendingClaims.sending }, ...answerOf(kind)),
  })),
  {
    ...{ name: 'attempts.end', variant: 'overdue' },
    run: (ledger, { attempts, sendingClaims }) =>
      ledger.attempts.end({ attemptId: attempts.overdue, claim: sendingClaims.overdue }, ...answerOf('accepted')),
  },
  { name: 'attempts.markLost', run: (ledger) => ledger.attempts.markLost(null) },
  {
    name: 'attempts.markLost',
    variant: 'all',
    run: (ledger) => ledger.attempts.markLost('00000000-0000-4000-8000-00000000000b'),
  },
  {
    name: 'courses.pauseAfterTrouble',
    run: (ledger) => ledger.courses.pauseAfterTrouble(aCourse, { firstMs: 60_000, maxMs: 60_000 }),
  },
  { name: 'sendingStops.compare', run: (ledger) => ledger.sendingStops.compare([unknownMark]) },
  { name: 'sendingStops.trust', run: (ledger) => ledger.sendingStops.trust(decision) },
  { name: 'courses.pause', run: (ledger) => ledger.courses.pause(aCourse, 'not ready', 60_000) },
]

const reading: Verb[] = [
  {
    name: 'report.apply',
    run: (ledger, { ids }) =>
      ledger.report.apply({
        ...nothingNew,
        claims: shown.map(([person, from]) => claimOf(ids, person, from)),
        moves: movesOf(ids, [...shown, ...changedItems]),
        shown: idsOfPeople({ ids } as Scene, 24),
        upgrades: [{ from: keyOf(9), to: 'item-9-anew' }],
        surplus: [{ issuanceId: ids.get(3) ?? 0, key: 'second', fingerprint: 'fp-second' }],
        certificateNames: [[aCourse, 'Welding']],
      }),
  },
  {
    ...{ name: 'report.apply', variant: 'backwards' },
    run: (ledger, { ids }) => {
      const found = shown.toReversed()
      const claims = found.map(([person, from]) => claimOf(ids, person, from))
      return ledger.report.apply({
        ...nothingNew,
        claims,
        moves: movesOf(ids, [...changedItems.toReversed(), ...found]),
      })
    },
  },
  {
    name: 'absence.noteLooks',
    run: (ledger, scene) =>
      ledger.absence.noteLooks(idsOfPeople(scene, 23, 24), scene.scan, { controlShown: true, lastLookAt: null }),
  },
  {
    name: 'absence.sendAgain',
    run: (ledger, scene) =>
      ledger.absence.sendAgain(idsOfPeople(scene, 24, 23), { batchCap: 1, countsAsResend: true }, scene.scan),
  },
  {
    name: 'absence.hold',
    run: (ledger, scene) => ledger.absence.hold(idsOfPeople(scene, 23, 24), 'no one can say', scene.scan),
  },
  {
    name: 'scans.noteSightings',
    run: (ledger) => ledger.scans.noteSightings([{ key: 'item-1', fingerprint: 'fp-1', requestDate: null }]),
  },
  {
    name: 'scans.end',
    run: (ledger, { scan }) =>
      ledger.scans.end(scan.id, { complete: true, pages: 1, items: 1, claimed: 0, unknown: 0, problem: null }),
  },
  { name: 'poller.schedule', run: (ledger) => ledger.poller.schedule(1_000, 1_000) },
  {
    name: 'poller.hurry',
    run: async (ledger) => {
      // The scan of the scene is due already.
      await ledger.poller.schedule(60_000, null)
      await ledger.poller.hurry(0)
    },
  },
  {
    ...{ name: 'adoptions.write', mayThrow: (error: Error) => error instanceof AdoptionOvertakenError },
    run: async (ledger, scene) => {
      const items = new Map([15, 25, 10, 41, 2].map((person) => [person, adoptedItem({ ledger }, person)]))
      const keys = [...items.values()].map((item) => item.issuanceKey)
      const itemKeys = [...items.values()].flatMap((item) => [item.key, item.fingerprint])
      const testLedger = { pipeline: 'spring', course: aCourse, certificateName: 'Welding' }
      const free = (state: string, sent: boolean, credential: boolean) =>
        (state === 'pending' && !sent) || (state === 'failed' && !credential)
      await ledger.adoptions.write(testLedger, { issuanceKeys: keys, itemKeys, hashes: [] }, (current) => {
        const known = (person: number) =>
          current.issuances.get(items.get(person)?.issuanceKey.toString('hex') ?? '') ?? null
        const unclaimed = [...items].filter(([, item]) => !current.items.has(item.key))
        const fresh = unclaimed.flatMap(([person, item]) => (known(person) ? [] : [item]))
        const waiting = unclaimed.flatMap(([person, item]) => {
          const row = known(person)
          return row && !row.decided && free(row.state, row.sent, row.credential) ? [item] : []
        })
        const extraItems = [...items].flatMap(([person, { issuanceKey, key, fingerprint }]) =>
          person === 2 ? [{ issuanceKey: issuanceKey.toString('hex'), key, fingerprint, countsAsSurplus: true }] : [],
        )
        return { batch: { fresh, waiting, extraItems, recounted: recountedOf(items.get(10)?.issuanceKey) } }
      })
      return scene
    },
  },
  { name: 'adoptions.finish', run: (ledger) => ledger.adoptions.finish({ pipeline: 'spring', course: aCourse }, []) },
]

function recountedOf(key: Buffer | undefined) {
  return key ? [{ issuanceKey: key.toString('hex'), surplus: 0 }] : []
}

const deciding: Verb[] = [
  {
    ...{ name: 'decisions.resolve', variant: 'sent' },
    run: (ledger, scene) => ledger.decisions.resolve(idsOfPeople(scene, 8, 13), 'sent', decision),
  },
  {
    ...{ name: 'decisions.resolve', variant: 'not sent' },
    run: (ledger, scene) => ledger.decisions.resolve(idsOfPeople(scene, 13, 8), 'not sent', decision),
  },
  {
    name: 'decisions.retry',
    run: (ledger, scene) => ledger.decisions.retry({ ids: idsOfPeople(scene, 12, 11, 10) }, decision),
  },
  {
    ...{ name: 'decisions.retry', variant: 'run' },
    run: (ledger, { runs }) => ledger.decisions.retry({ run: runs.settled }, decision),
  },
  {
    name: 'decisions.correct',
    run: (ledger, scene) => ledger.decisions.correct(scene.ids.get(11) ?? 0, correctionOf({ ledger }, 11), decision),
  },
  { name: 'brake.approve', run: (ledger, { runs }) => ledger.brake.approve(runs.braked, decision) },
  { name: 'brake.reject', run: (ledger, { runs }) => ledger.brake.reject(runs.braked, decision) },
]

const wants = (person: number, corrected: boolean) => (ledger: WholeLedger, scene: Scene) =>
  ledger.revocations.request({
    ...{ credentialId: `C-${person}`, issuanceId: scene.ids.get(person) ?? 0, decision },
    correction: corrected ? correctionOf({ ledger }, person) : null,
  })

const revoking: Verb[] = [
  {
    ...{ name: 'revocations.request', mayThrow: (error: Error) => error instanceof ForgottenError },
    run: wants(3, true),
  },
  { name: 'revocations.request', variant: 'joining', run: wants(5, true) },
  {
    name: 'revocations.claim',
    run: (ledger, { revocations }) => ledger.revocations.claim(revocations.wanted, 3_600_000),
  },
  {
    name: 'revocations.end',
    run: (ledger, { revocations, sendingClaims }) =>
      ledger.revocations.end({ id: revocations.sending, claim: sendingClaims.revocation }, answerOf('accepted')[0], {
        ...{ state: 'accepted', waitMs: 0 },
      }),
  },
  { name: 'revocations.markLost', run: (ledger) => ledger.revocations.markLost() },
  { name: 'revocations.noteRevoked', run: (ledger) => ledger.revocations.noteRevoked() },
  ...([null, 'seen', 'not_applied'] as const).map((to) => ({
    ...{ name: 'revocations.noteCheck', variant: to ?? 'nothing' },
    run: (ledger: WholeLedger, { revocations }: Scene) =>
      ledger.revocations.noteCheck(revocations.unconfirmed, { to, doubt: null, waitMs: 0 }),
  })),
  {
    name: 'revocations.postpone',
    run: (ledger, { revocations }) => ledger.revocations.postpone(revocations.accepted, 1_000),
  },
  { name: 'revocations.take', run: (ledger) => ledger.revocations.take() },
  {
    name: 'revocations.carryOut',
    run: (ledger, { revocations }) => ledger.revocations.carryOut(revocations.accepted),
  },
]

export const verbs: readonly Verb[] = [
  sending,
  reading,
  deciding,
  revoking,
  erasureVerbs,
  retentionVerbs,
  nonSendingVerbs,
].flat()
