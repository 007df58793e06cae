// Generates sequences of commands. The weights favor lists that are sent, answered and looked for in the report.

import fc from 'fast-check'
import type { State } from '#src/domain/credential/state.ts'
import { stories } from './command-stories.ts'
import type { Answer, Command, Item, PersonRow } from './ledger-commands.ts'

const { boolean, constantFrom, nat, record } = fc
const small = (max: number) => nat({ max })
const minutes = (...choices: number[]) => constantFrom(...choices.map((choice) => choice * 60_000))
const size = fc.integer({ min: 1, max: 5 })
const which = fc.array(small(9), { minLength: 1, maxLength: 4 })

/** A command with its arguments and its relative weight. */
function command<Name extends Command['do'], Arguments extends object>(
  weight: number,
  name: Name,
  args: { [Key in keyof Arguments]: fc.Arbitrary<Arguments[Key]> },
) {
  return {
    weight,
    arbitrary: record({ do: fc.constant(name), ...args }) as unknown as fc.Arbitrary<{ do: Name } & Arguments>,
  }
}

const person: fc.Arbitrary<PersonRow> = record({
  person: small(7),
  term: constantFrom(1, 1, 1, 2),
  name: constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1),
  shout: boolean(),
  grade: constantFrom(0, 0, 0, 0, 1, 2),
})

const states: fc.Arbitrary<State> = constantFrom(
  ...(['pending', 'sending', 'unconfirmed', 'requested', 'in_progress', 'issued', 'held', 'failed'] as const),
)

const labels = ['inqueue', 'Inprogress', 'Completed', 'Completed', 'Rejected', 'Failed', 'not requested', 'on the way']

const item: fc.Arbitrary<Item> = record({
  person: small(8),
  name: constantFrom(0, 0, 0, 0, 0, 1),
  label: constantFrom(...labels.map((label) => `Request ${label}`)),
  entity: constantFrom(null, 0, 0, 0, 1),
  day: constantFrom(null, -3, 0, 0, 0, 1, 2),
  certificate: constantFrom(null, 0, 0, 1),
  credential: constantFrom(true, true, false),
  link: boolean(),
  shout: boolean(),
  revoked: constantFrom(false, false, false, false, true),
})

const answer: fc.Arbitrary<Answer> = record({
  class: constantFrom(
    ...([
      'accepted',
      'accepted',
      'unknown',
      'unknown',
      'refused',
      'unauthorised',
      'not_sent',
      'throttled',
      'too_large',
    ] as const),
  ),
  status: constantFrom(200, 400, 403, 500),
  retryAfterMs: constantFrom(null, null, 90_000),
  trouble: constantFrom(false, false, false, true),
})

const oddClaim = record({ which: small(9), key: small(3) })
const oddMove = record({ which: small(9), from: states, to: states, credential: boolean() })

const handOver = command(3, 'hand over', {
  file: small(2),
  people: fc.array(person, { minLength: 1, maxLength: 6 }),
  course: constantFrom(0, 0, 0, 1),
  pipeline: constantFrom(0, 0, 0, 1),
  bad: boolean(),
  brake: constantFrom(null, null, null, null, { rows: 3 }, { percent: 50 }, { rows: 4, percent: 0 }, { perDay: 5 }),
  shows: constantFrom(null, null, null, null, '', 'The report shows it.'),
  short: constantFrom(false, false, false, false, false, true),
})

const commands: fc.Arbitrary<Command> = fc.oneof(
  handOver,
  command(2, 'decide', { which: small(4), answer: constantFrom('approve', 'approve', 'reject') }),
  command(1, 'receive', { file: small(4), refuse: boolean() }),
  command(4, 'prepare', { pipeline: small(1), size, canary: boolean(), batches: fc.integer({ min: 1, max: 3 }) }),
  command(12, 'send', { pipeline: constantFrom(0, 0, 1), size, instance: small(1) }),
  command(3, 'claim', { which: small(9), instance: small(1) }),
  command(2, 'drop', { which: small(9), waitMs: constantFrom(0, 60_000) }),
  command(12, 'end', {
    which: small(9),
    late: constantFrom(false, false, false, true),
    answer,
    thenPause: boolean(),
  }),
  command(1, 'end oddly', { which: small(9), to: fc.array(states, { maxLength: 3 }) }),
  command(2, 'lose', { alive: constantFrom(null, 0, 1) }),
  command(5, 'time passes', { ms: minutes(0.1, 1, 1, 5, 15, 11 * 60, 25 * 60) }),
  command(12, 'scan', {
    items: fc.array(item, { maxLength: 5 }),
    settle: constantFrom(true, true, true, false),
    cut: constantFrom(false, false, false, false, true),
    resends: small(1),
    daysBack: constantFrom(0, 1, 9, 9, 9, 9),
    afterMs: minutes(0.1, 15, 15, 15),
  }),
  command(4, 'apply', {
    claims: fc.array(oddClaim, { maxLength: 2 }),
    upgrade: fc.option(fc.tuple(small(3), small(3))),
    moves: fc.array(oddMove, { maxLength: 3 }),
    surplus: fc.array(oddClaim, { maxLength: 2 }),
    shown: fc.array(small(9), { maxLength: 2 }),
  }),
  command(1, 'pause', { course: small(1), afterTrouble: boolean(), ms: minutes(1, 5) }),
  command(2, 'resolve', { which, answer: constantFrom('sent', 'not sent') }),
  command(1, 'retry', { which, run: fc.option(small(4)) }),
  command(3, 'write directly', {
    verb: constantFrom('noteLooks', 'sendAgain', 'hold'),
    which,
    agoMs: minutes(0, 0, 5),
    cap: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
  command(2, 'write back', { run: small(4), verb: constantFrom('request', 'reported', 'paths', 'read') }),
  command(2, 'poller', { verb: constantFrom('hurry', 'schedule', 'schedule deep'), ms: minutes(0, 1, 20) }),
  command(3, 'take work', { forget: constantFrom(false, false, false, true) }),
  command(3, 'read queries', {}),
)

/** Single commands, and sometimes a story: a path that random commands seldom take. */
const turns: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 12, arbitrary: commands.map((command) => [command]) },
  { weight: 1, arbitrary: stories({ item, answer, size }) },
)

/** A list is submitted first; without a list, other commands have no effect. */
export const sequences: fc.Arbitrary<Command[]> = fc
  .tuple(handOver.arbitrary, fc.array(turns, { maxLength: 60, size: 'max' }))
  .map(([first, rest]) => [{ ...first, short: false, brake: null, shows: null }, ...rest.flat()])
