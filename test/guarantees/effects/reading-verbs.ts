// The ledger's verbs that only read, each with arguments to which the scene has an answer.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'
import { instance, keyOf, type Scene } from '#test/guarantees/interleavings/scene.ts'
import { idsOfPeople, type Verb } from '#test/guarantees/interleavings/verb.ts'
import { aCourse, aRecipient, aStagedRow, otherCourse } from '#test/support/domain-objects.ts'
import { noticeReadings } from './readings-of-notices.ts'
import { systemReadings } from './readings-of-systems.ts'

const everyone = Array.from({ length: 60 }, (_, index) => index + 1)
const longAgo = new Date('2026-01-01')
const rule = { nameFields: ['First Name', 'Last Name'], occurrence: [] }
const spring = { pipeline: 'spring', course: aCourse }

/** The hashes of a person. */
const hashesOf = (ledger: WholeLedger, person: number) =>
  aStagedRow(2, aRecipient(person), ledger.hasher).matchHashes ?? []
const keysOf = (ledger: WholeLedger, people: readonly number[]) =>
  people.flatMap((person) => aStagedRow(2, aRecipient(person), ledger.hasher).issuanceKey ?? [])

/** For every run of the scene. */
const ofRuns = (name: string, read: (ledger: WholeLedger, run: string) => Promise<unknown>): Verb => ({
  name,
  run: async (ledger, { runs }) => {
    const answers: Record<string, unknown> = {}
    for (const [each, id] of Object.entries(runs)) answers[each] = await read(ledger, id)
    return answers
  },
})

async function resultsOf(ledger: WholeLedger, run: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  await ledger.writeBacks.readRows(run, ['accepted', 'skipped', 'invalid'], async (some) => void rows.push(...some))
  return rows
}

async function factsOf(ledger: WholeLedger, run: string): Promise<unknown> {
  const found = await ledger.runs.withStates(run)
  return found && ledger.waiting.facts(found)
}

const ofRows: Verb[] = [
  { name: 'absence.unshownRows', run: (ledger) => ledger.absence.unshownRows('2026-01-01') },
  { name: 'attempts.countOpen', run: (ledger) => ledger.attempts.countOpen() },
  { name: 'attempts.countPrepared', run: (ledger) => ledger.attempts.countPrepared() },
  {
    name: 'attempts.load',
    run: async (ledger, { attempts }) => {
      const loaded: Record<string, unknown> = {}
      for (const [name, id] of Object.entries(attempts)) loaded[name] = await ledger.attempts.load(id)
      return loaded
    },
  },
  { name: 'courses.learnedBatchLimit', run: (ledger) => ledger.courses.learnedBatchLimit('spring') },
  {
    name: 'courses.needsCanary',
    run: async (ledger) => [await ledger.courses.needsCanary(aCourse), await ledger.courses.needsCanary(otherCourse)],
  },
  { name: 'courses.pauses', run: (ledger) => ledger.courses.pauses() },
  { name: 'decisions.heldRows', run: (ledger) => ledger.decisions.heldRows() },
  {
    ...{ name: 'decisions.heldRows', variant: 'parts' },
    async run({ decisions }, scene) {
      const [id = 0] = idsOfPeople(scene, 13)
      const [first] = await decisions.heldRows({ scope: null, limit: 1, id })
      const parts = [
        { scope: ['autumn'], limit: 9 },
        { scope: ['spring'], limit: 1 },
        { scope: null, limit: 9, after: first?.cursor ?? null },
        { scope: null, limit: 9, id },
        { scope: null, limit: 9, like: id },
      ]
      const found: number[][] = []
      for (const part of parts) found.push((await decisions.heldRows(part)).map((row) => row.id))
      return found
    },
  },
  ofRuns('decisions.retriable', (ledger, run) => ledger.decisions.retriable(run, 2)),
  ofRuns('brake.since', (ledger, run) => ledger.brake.since(run)),
  {
    ...{ name: 'issuances.explain', variant: 'people' },
    run: async (ledger) => {
      const explained: unknown[] = []
      for (const person of [3, 4, 6, 9, 13, 23]) {
        const hashes = hashesOf(ledger, person).slice(0, 1)
        explained.push(await ledger.issuances.explain({ hashes, credential: `C-${person}` }))
      }
      return explained
    },
  },
  {
    ...{ name: 'issuances.explain', variant: 'ids' },
    run: async (ledger, scene) => {
      const explained: unknown[] = []
      for (const id of idsOfPeople(scene, 3, 6, 15, 40)) explained.push(await ledger.issuances.explain({ id }))
      return explained
    },
  },
  {
    name: 'issuances.states',
    run: (ledger, scene) => ledger.issuances.states(idsOfPeople(scene, ...everyone.filter((each) => each % 2 === 0))),
  },
  {
    name: 'knownRows.compare',
    run: (ledger) =>
      ledger.knownRows.compare(
        aCourse,
        [3, 4, 61].map((person) => ({
          issuanceKey: keysOf(ledger, [person])[0] as Buffer,
          recipient: aRecipient(person, person === 4 ? { 'Last Name': 'Byron' } : {}),
        })),
      ),
  },
  {
    name: 'knownRows.people',
    run: async (ledger) => {
      const people = await ledger.knownRows.people(aCourse, rule)
      return Object.keys(people)
    },
  },
  { name: 'work.pipelinesWithDueRows', run: (ledger) => ledger.work.pipelinesWithDueRows() },
  { name: 'work.unsentByPipeline', run: (ledger) => ledger.work.unsentByPipeline() },
  { name: 'sendingStops.stops', run: (ledger) => ledger.sendingStops.stops() },
]

const ofReport: Verb[] = [
  { name: 'adoptions.heldRuns', run: (ledger) => ledger.adoptions.heldRuns(aCourse) },
  {
    name: 'adoptions.known',
    run: async (ledger) => {
      const known = await ledger.adoptions.known(aCourse, {
        issuanceKeys: keysOf(ledger, everyone),
        itemKeys: everyone.flatMap((person) => [keyOf(person), `adopted-${person}`]),
        hashes: everyone.flatMap((person) => hashesOf(ledger, person).slice(0, 1)),
      })
      return { ...known, underWay: known.underWay.toSorted((a, b) => a.id - b.id) }
    },
  },
  { name: 'adoptions.namesOf', run: (ledger) => ledger.adoptions.namesOf(aCourse) },
  { name: 'adoptions.othersCalled', run: (ledger) => ledger.adoptions.othersCalled('Welding', otherCourse) },
  { name: 'adoptions.unfinished', run: (ledger) => ledger.adoptions.unfinished(spring) },
  { name: 'firstList.status', run: (ledger) => ledger.firstList.status(aCourse) },
  ofRuns('firstList.sample', (ledger, run) => ledger.firstList.sample(run, aCourse, 10)),
  { name: 'poller.read', run: (ledger) => ledger.poller.read() },
  {
    name: 'report.findCandidates',
    run: async (ledger) => {
      const hashes = everyone.flatMap((person) => hashesOf(ledger, person).slice(0, 1))
      const candidates = await ledger.report.findCandidates(hashes, everyone.map(keyOf))
      return candidates.toSorted((a, b) => a.id - b.id)
    },
  },
  { name: 'report.findClaims', run: (ledger) => ledger.report.findClaims(everyone.map(keyOf)) },
  {
    name: 'scans.baselineIsFresh',
    run: async (ledger) => [
      await ledger.scans.baselineIsFresh(3_600_000),
      await ledger.scans.baselineIsFresh(3_600_000, new Date('2100-01-01')),
    ],
  },
  { name: 'scans.baselineSince', run: (ledger) => ledger.scans.baselineSince() },
  {
    name: 'scans.completeSince',
    run: async (ledger) => [
      await ledger.scans.completeSince(longAgo),
      await ledger.scans.completeSince(new Date('2100-01-01')),
    ],
  },
  {
    name: 'scans.firstSightings',
    run: (ledger) => ledger.scans.firstSightings([...everyone.map(keyOf), 'seen']),
  },
  { name: 'watching.allDoneSince', run: (ledger) => ledger.watching.allDoneSince(longAgo) },
  { name: 'watching.issuedDays', run: (ledger) => ledger.watching.issuedDays() },
  { name: 'watching.shown', run: (ledger) => ledger.watching.shown() },
  { name: 'watching.status', run: (ledger) => ledger.watching.status() },
  { name: 'watching.unseen', run: (ledger) => ledger.watching.unseen(null, new Date('2100-01-01'), 100) },
  { name: 'watching.withoutLink', run: (ledger) => ledger.watching.withoutLink(everyone.map(keyOf)) },
]

const ofRevocations: Verb[] = [
  { name: 'revocations.due', run: (ledger) => ledger.revocations.due() },
  {
    name: 'revocations.find',
    run: async (ledger, { revocations }) => {
      const found: Record<string, unknown> = {}
      for (const [name, id] of Object.entries(revocations)) found[name] = await ledger.revocations.find(id)
      return found
    },
  },
  {
    name: 'revocations.lastOf',
    run: async ({ revocations }) => [await revocations.lastOf('C-3'), await revocations.lastOf('C-99')],
  },
  { name: 'revocations.open', run: (ledger) => ledger.revocations.open() },
  { name: 'revocations.readyCorrections', run: (ledger) => ledger.revocations.readyCorrections() },
  {
    name: 'revocations.targets',
    run: (ledger, scene) =>
      ledger.revocations.targets({
        issuances: idsOfPeople(scene, 3, 5, 8),
        credentials: ['C-4', 'C-9', 'C-99', 'C-0'],
      }),
  },
  {
    name: 'revocations.namingRow',
    run: (ledger, scene: Scene) => ledger.revocations.namingRow(scene.runs.settled, 4, scene.ids.get(3) ?? 0),
  },
  { name: 'revocations.toDecide', run: (ledger) => ledger.revocations.toDecide() },
  { name: 'revocations.waitingChanges', run: (ledger) => ledger.revocations.waitingChanges() },
  {
    ...ofRuns('revocations.waitingChanges', (ledger, run) => ledger.revocations.waitingChanges({ run })),
    variant: 'runs',
  },
]

const ofLists: Verb[] = [
  { name: 'brake.issuedToday', run: (ledger) => ledger.brake.issuedToday('spring') },
  { name: 'brake.recentSizes', run: (ledger) => ledger.brake.recentSizes('spring') },
  ofRuns('runs.find', (ledger, run) => ledger.runs.find(run)),
  { name: 'runs.list', run: (ledger) => ledger.runs.list() },
  ofRuns('runs.named', (ledger, run) => ledger.runs.named(run.slice(0, 8))),
  ofRuns('runs.withStates', (ledger, run) => ledger.runs.withStates(run)),
  ofRuns('violations.byKind', (ledger, run) => ledger.violations.byKind(run)),
  ofRuns('waiting.facts', factsOf),
  ofRuns('writeBacks.readRows', resultsOf),
  ofRuns('writeBacks.wantedVersion', (ledger, run) => ledger.writeBacks.wantedVersion(run)),
  { name: 'workers.dead', run: (ledger) => ledger.workers.dead(0) },
  { name: 'workers.withOtherStore', run: (ledger) => ledger.workers.withOtherStore(instance) },
  { name: 'probes.find', run: (ledger) => ledger.probes.find(aCourse) },
]

export const readingVerbs: readonly Verb[] = [
  ofRows,
  ofReport,
  ofRevocations,
  ofLists,
  systemReadings,
  noticeReadings,
].flat()
