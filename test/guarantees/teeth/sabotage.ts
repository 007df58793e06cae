// Sabotaged versions of the worker: each leaves out or turns round one thing that keeps a promise. A suite that lets one through proves
// nothing, so every one of them has to be caught.

export interface Sabotage {
  /** The title of its test: "the worker that …". */
  name: string
  file: string
  /** Stands in the file exactly once, or the sabotage has gone stale. */
  find: string
  replace: string
  /**
   * What has to catch it: the simulation in this weather within so many seeds, beginning with the one that caught it last where the first ones
   * are known to miss it, or the tests of a file whose titles hold `title`.
   */
  caughtBy: { weather: string; from?: number; seeds: number } | { tests: string; title: string }
}

export const sabotages: readonly Sabotage[] = [
  {
    name: 'goes on although somebody else has passed the door',
    file: 'jobs/issue.ts',
    find: 'if (!(await ledger.passDoor(door))) return done()',
    replace: 'await ledger.passDoor(door)',
    caughtBy: { weather: 'bad queue', from: 11, seeds: 60 },
  },
  {
    name: 'passes a door in the database that was passed before',
    file: 'src/ledger/attempts.ts',
    find: `WHERE id = $1 AND environment = $5 AND phase = 'prepared' RETURNING size`,
    replace: `WHERE id = $1 AND environment = $5 AND phase IN ('prepared', 'sending') RETURNING size`,
    caughtBy: { tests: 'test/src/ledger/door.test.ts', title: 'is passed by one of twenty' },
  },
  {
    name: 'sends once more after a reset',
    file: 'src/issuer/sending.ts',
    find: 'if (!first.outcome.authRefused) return first.outcome',
    replace: `if (!first.outcome.authRefused && first.outcome.class !== 'unknown') return first.outcome`,
    caughtBy: { weather: 'lost answers', seeds: 60 },
  },
  {
    name: 'takes a broken connection for a request that was never sent',
    file: 'src/issuer/outcome.ts',
    find: `withoutAnswer(exchange.sent ? 'unknown' : 'not_sent', exchange.code)`,
    replace: `withoutAnswer('not_sent', exchange.code)`,
    caughtBy: { weather: 'lost answers', from: 6, seeds: 60 },
  },
  {
    name: 'takes a 502 for a request that was not carried out',
    file: 'src/issuer/outcome.ts',
    find: `return { class: 'unknown', code: status >= 300`,
    replace: `return { class: 'not_sent', code: status >= 300`,
    caughtBy: { weather: 'lost answers', seeds: 60 },
  },
  {
    name: 'believes in HTTP 200 without reading the envelope',
    file: 'src/issuer/outcome.ts',
    find: `if (said === 200 || said === '200') return`,
    replace: `if (said !== undefined) return`,
    caughtBy: { tests: 'test/src/issuer/outcome.test.ts', title: 'an envelope that says 500' },
  },
  {
    name: 'sends without knowing what the report held before',
    file: 'jobs/issue.ts',
    find: 'await takeBaseline(tools, batch.lastCallAt)',
    replace: '',
    caughtBy: { weather: 'issued by hand before', seeds: 60 },
  },
  {
    name: 'does not look before rows go out again',
    file: 'jobs/issue.ts',
    find: 'takeBaseline(tools, batch.lastCallAt)',
    replace: 'takeBaseline(tools, null)',
    caughtBy: { weather: 'throttled after taking', seeds: 60 },
  },
  {
    name: 'needs no control',
    file: 'src/reconcile/when-absent.ts',
    find: 'if (controlledLooks < policy.looks)',
    replace: 'if (controlledLooks < 0)',
    caughtBy: { weather: 'report stands still', from: 7, seeds: 60 },
  },
  {
    name: 'takes what it saw last week for a control',
    file: 'src/reconcile/settle-doubts.ts',
    find: '(scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt',
    replace: '(scan.shownUpTo.get(row.courseUuid) ?? 0) > 0',
    caughtBy: { weather: 'report stands still', from: 7, seeds: 60 },
  },
  {
    name: 'does not ask whether others of the batch arrived',
    file: 'src/reconcile/when-absent.ts',
    find: 'if (call.batchShown)',
    replace: 'if (call.batchShown && looks < 0)',
    caughtBy: { weather: 'stragglers', seeds: 60 },
  },
  {
    name: 'has no patience',
    file: 'src/reconcile/when-absent.ts',
    find: 'return scanBegan.getTime() >= since.getTime() + graceMs',
    replace: 'return scanBegan.getTime() >= since.getTime() + graceMs * 0',
    caughtBy: { weather: 'slow report', from: 30, seeds: 60 },
  },
  {
    name: 'sends again as often as it likes',
    file: 'src/reconcile/when-absent.ts',
    find: 'if (resends >= policy.resends)',
    replace: 'if (resends >= policy.resends + 9)',
    caughtBy: { weather: 'lost answers', from: 18, seeds: 60 },
  },
  {
    name: 'believes in readings of the report that broke off',
    file: 'src/reconcile/scan-report.ts',
    find: 'return page.walk === ',
    replace: 'return true || page.walk === ',
    caughtBy: { weather: 'short pages', from: 10, seeds: 60 },
  },
  {
    name: 'does not compare whom the report shows with whom it sent',
    file: 'src/reconcile/news-of.ts',
    find: 'differing: differingOf(issuance, item),',
    replace: 'differing: [],',
    caughtBy: { weather: 'issued by hand under other names', from: 11, seeds: 60 },
  },
  {
    name: 'tells the source that a row was issued which waits for a person',
    file: 'src/write-back/lines.ts',
    find: `return row.outcome === 'skipped' ? 'skipped' : (row.state ?? '')`,
    replace: `return row.outcome === 'skipped' ? 'skipped' : row.state === 'held' ? 'issued' : (row.state ?? '')`,
    caughtBy: { weather: 'issued by hand under other names', from: 11, seeds: 60 },
  },
  {
    name: 'sends what stood behind its door for hours',
    file: 'jobs/issue.ts',
    find: 'clock.monotonicMs() - atDoor < doorFreshMs',
    replace: 'clock.monotonicMs() - atDoor < Number.POSITIVE_INFINITY',
    caughtBy: { weather: 'frozen behind the door', from: 14, seeds: 60 },
  },
  {
    name: 'lets two rows claim one report item',
    file: 'src/ledger/migrations/0001-ledger.sql',
    find: `  PRIMARY KEY (environment, item_key)
);

-- When each report item`,
    replace: `  UNIQUE (environment, item_key, issuance_id)
);

-- When each report item`,
    caughtBy: { tests: 'test/src/ledger/report.test.ts', title: 'that came second moves nothing' },
  },
  {
    name: 'asks again under the id of a finished job',
    file: 'src/queue/job-id.ts',
    find: 'random}`',
    replace: 'random.length}`',
    caughtBy: { tests: 'test/src/queue/conformance.test.ts', title: 'asking twice for the same subject' },
  },
]
