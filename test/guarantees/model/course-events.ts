// The events of a course as fast-check commands. After each event, the whole state is checked against the truth.

import fc from 'fast-check'
import type { Run } from './course-run.ts'
import { readReport } from './read-report.ts'
import type { AnswerKind, Fate, Item, ServiceModel, Status } from './service-model.ts'

type Action = (run: Run) => void

function command(name: string, action: Action): fc.Command<ServiceModel, Run> {
  return {
    check: () => true,
    run: (_, run) => {
      run.tick()
      action(run)
      run.check()
    },
    toString: () => name,
  }
}

/** Selects one element of `from` by a number of any size. */
function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)]
}

/** Advances an unfinished item, selected by a number. */
function work(truth: ServiceModel, at: number, end: Status): void {
  const open = truth.items.filter(({ status }) => status === 'requested' || status === 'in_progress')
  const item = pick(open, at)
  if (item) item.status = item.status === 'requested' ? 'in_progress' : end
}

/** Our items that no scan has shown yet; it would make no difference if a scan missed any other. */
function missableItems({ course }: Run, items: readonly Item[]): Item[] {
  return items.filter(({ key, createdBy, slipped }) => createdBy && !slipped && !course.firstSeen.has(key))
}

function read(run: Run, behind: number, cut: boolean, slip: number | null): void {
  const { course, truth } = run
  const items = truth.shown(behind)
  const slipping = slip === null || cut ? undefined : pick(missableItems(run, items), slip)
  if (slipping) slipping.slipped = true
  const seen = items.filter((item) => item !== slipping).reverse()
  readReport(course, cut ? seen.slice(0, Math.floor(seen.length / 2)) : seen, !cut)
}

const fate: fc.Arbitrary<Fate> = fc.record({
  takes: fc.constantFrom('lost', 'all', 'part', 'trickled'),
  says: fc.constantFrom<AnswerKind[]>(
    ...([
      'accepted',
      'accepted',
      'nothing',
      'nothing',
      'nothing',
      'refused',
      'refused the call',
      'course trouble',
    ] as AnswerKind[]),
    ...(['too large', 'throttled', 'keys refused', 'not sent'] as AnswerKind[]),
  ),
  early: fc.boolean(),
  lag: fc.nat(1_000),
  which: fc.nat(15),
})

const index = fc.nat(11)

const sends = fc
  .record({ size: fc.integer({ min: 1, max: 4 }), fate })
  .map(({ size, fate }) => command(`send(${size}, ${JSON.stringify(fate)})`, (run) => run.send(size, fate)))
const answers = index.map((at) =>
  command(`answer(${at})`, (run) => {
    const call = pick(run.underWay(), at)
    if (call) run.answer(call)
  }),
)
const deaths = fc.record({ at: index, received: fc.boolean() }).map(({ at, received }) =>
  command(`killWorker(${at}, ${received})`, (run) => {
    const call = pick(run.underWay(), at)
    if (call) run.killWorker(call, received)
  }),
)
const times = fc
  .constantFrom(1, 2, 5, 20, 60, 85, 180, 385)
  .map((minutes) => command(`pass(${minutes})`, (run) => run.pass(minutes)))
const readings = fc
  .record({ behind: fc.constantFrom(0, 0, 1, 20), cut: fc.nat(5), slip: fc.option(index, { freq: 2 }) })
  .map(({ behind, cut, slip }) =>
    command(`read(behind ${behind}, cut ${cut === 0}, slip ${slip})`, (run) => read(run, behind, cut === 0, slip)),
  )
/** A grace period, plus the few minutes after which an open call counts as lost. */
const graceMinutes = 365

/** Lets grace periods pass with a scan after each, which random numbers of minutes hardly ever add up to. */
const waitAndScan = fc
  .record({ rounds: fc.constantFrom(1, 1, 1, 2, 3), slip: fc.option(index, { freq: 2 }) })
  .map(({ rounds, slip }) =>
    command(`waitAndScan(${rounds}, slip ${slip})`, (run) => {
      for (let round = 0; round < rounds; round++) {
        run.pass(graceMinutes)
        read(run, 0, false, round === rounds - 1 ? slip : null)
        run.check()
      }
    }),
  )
/**
 * Sends a new person whom the service accepts immediately. Without later traffic there is no control, and nothing is
 * ever sent again.
 */
const newPeople = fc.constant(
  command('newcomer()', (run) => {
    const { rows } = run.course
    if (rows.length < maxRows) run.course.addRow(rows.length)
    run.send(1, { takes: 'all', says: 'accepted', early: true, lag: 0, which: 0 })
    const call = run.underWay().at(-1)
    if (!call) return
    run.tick()
    run.answer(call)
  }),
)
const maxRows = 9
const progress = fc
  .record({ at: index, end: fc.constantFrom<Status[]>('issued', 'issued', 'rejected', 'failed') })
  .map(({ at, end }) => command(`work(${at}, ${end})`, ({ truth }) => work(truth, at, end)))
const stuck = fc.boolean().map((stops) =>
  command(`index(${stops ? 'stuck' : 'moves'})`, ({ truth }) => {
    if (truth.world.sticks) truth.stuckAt = stops ? (truth.stuckAt ?? truth.now) : null
  }),
)
const requestedByHand = fc.record({ at: index, otherName: fc.boolean() }).map(({ at, otherName }) =>
  command(`requestedByHand(${at}, ${otherName})`, ({ course, truth }) => {
    if (!truth.world.sticks) truth.add({ person: pick(course.rows, at)?.person ?? 0, otherName })
  }),
)
const decisions = index.map((at) =>
  command(`decide(${at})`, (run) => {
    const row = pick(
      run.course.rows.filter(({ state }) => state === 'held' || state === 'failed'),
      at,
    )
    if (row?.state === 'held') run.resolve(row)
    else if (row) run.startOver(row)
  }),
)

/** Up to sixty events in any order. */
export const randomEvents = fc.commands(
  [
    sends,
    sends,
    sends,
    answers,
    answers,
    deaths,
    times,
    times,
    times,
    waitAndScan,
    newPeople,
    newPeople,
    readings,
    readings,
    readings,
    progress,
    stuck,
    requestedByHand,
    decisions,
  ],
  { maxCommands: 60, size: 'max' },
)
