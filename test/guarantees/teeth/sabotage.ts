// Sabotaged versions of the worker: each removes or reverses one safeguard that a promise depends on. If a suite
// does not catch its sabotage, the suite proves nothing.

export interface Sabotage {
  /** The end of its test's title, after "the worker that". */
  name: string
  file: string
  /** The text to replace. It must occur in the file exactly once; otherwise the sabotage is out of date. */
  find: string
  replace: string
  /**
   * What must catch it: the simulation in this weather, either with one `seed` or within a number of seeds (starting at
   * `from`, because earlier seeds miss it), or the tests of a file whose titles contain `title`.
   *
   * The `seed`s are what `npm test` simulates: each is here because nothing else in `npm test` catches its sabotage. A
   * change of the simulation gives every seed another run, and a seed that then misses its sabotage fails here. To choose
   * another one, replace the text by hand; `SEEDS=1-60 WEATHER='bad queue' FAULTS=1 npm run sim` finds the first.
   */
  caughtBy:
    | { weather: string; seed: number }
    | { weather: string; from?: number; seeds: number }
    | { tests: string; title: string }
}

export const sabotages: readonly Sabotage[] = [
  {
    name: 'continues although another worker has made the claim',
    file: 'jobs/send-once.ts',
    find: 'const claimed = await claim()',
    replace: `const claimed = (await claim()) ?? { era: 0, number: 0, token: '', at: clock.now(), what: '' }`,
    caughtBy: { weather: 'bad queue', seed: 8 },
  },
  {
    name: 'drops the outcome of a call that the ledger has lost',
    file: 'src/ledger/attempts/outcomes.ts',
    find: 'const attemptExists = isKnown || (await restoreAttempt(sql, attemptId, claim))',
    replace: 'const attemptExists = isKnown',
    caughtBy: { tests: 'test/stories/workers/ledger-rolled-back.test.ts', title: 'still gets the outcome' },
  },
  {
    name: 'sends although the ledger has no record of the last call',
    file: 'jobs/high-water-mark.ts',
    find: `if (comparison.stop) return withoutAnswer('unknown', 'LEDGER_SET_BACK')`,
    replace: '',
    caughtBy: {
      tests: 'test/stories/issuing/batch-not-sent.test.ts',
      title: 'if the ledger has lost the record of the last call',
    },
  },
  {
    name: 'repeats a claim in the database',
    file: 'src/ledger/attempts/attempts.ts',
    find: `WHERE id = $1 AND environment = $5 AND phase = 'prepared' AND size = $6 RETURNING size`,
    replace: `WHERE id = $1 AND environment = $5 AND phase IN ('prepared', 'sending') AND $6::int IS NOT NULL RETURNING size`,
    caughtBy: {
      tests: 'test/src/ledger/attempts/claim.test.ts',
      title: 'succeeds for only one of twenty concurrent callers',
    },
  },
  {
    name: 'sends once more after a reset',
    file: 'src/issuer/sending/send-change.ts',
    find: `if (first.outcome.class !== 'unauthorised') return first.outcome`,
    replace: `if (!['unauthorised', 'unknown'].includes(first.outcome.class)) return first.outcome`,
    caughtBy: { weather: 'lost answers', seeds: 60 },
  },
  {
    name: 'mistakes a broken connection for a request that was never sent',
    file: 'src/issuer/sending/outcome.ts',
    find: `withoutAnswer(exchange.sent ? 'unknown' : 'not_sent', exchange.code)`,
    replace: `withoutAnswer('not_sent', exchange.code)`,
    caughtBy: { weather: 'lost answers', from: 6, seeds: 60 },
  },
  {
    name: 'mistakes a 502 for a request that was not carried out',
    file: 'src/issuer/sending/outcome.ts',
    find: `return { class: 'unknown', code: status >= 300`,
    replace: `return { class: 'not_sent', code: status >= 300`,
    caughtBy: { weather: 'lost answers', from: 3, seeds: 60 },
  },
  {
    name: 'trusts HTTP 200 without reading the envelope',
    file: 'src/issuer/sending/outcome.ts',
    find: `if (bodyStatus === 200 || bodyStatus === '200') return`,
    replace: `if (bodyStatus !== undefined) return`,
    caughtBy: { tests: 'test/src/issuer/sending/outcome.test.ts', title: 'an envelope that says 500' },
  },
  {
    name: 'sends without a baseline of the report',
    file: 'jobs/issue.ts',
    find: 'await takeBaseline(tools, batch.lastCallAt)',
    replace: '',
    caughtBy: { weather: 'issued by hand before', seed: 2 },
  },
  {
    name: 'takes an older reading of the report as good enough before it sends rows again',
    file: 'jobs/issue.ts',
    find: 'baselineIsFresh(tuning.baselineAgeMs, lastCallAt)',
    replace: 'baselineIsFresh(tuning.baselineAgeMs, null)',
    caughtBy: { weather: 'throttled after applying', seed: 1 },
  },
  {
    name: 'needs no control',
    file: 'src/issuing/reconcile/decide-absent-row.ts',
    find: 'if (controlledLooks < policy.looks)',
    replace: 'if (controlledLooks < 0)',
    caughtBy: { weather: 'report is stuck', from: 10, seeds: 60 },
  },
  {
    name: 'accepts last week’s items as a control',
    file: 'src/issuing/reconcile/resolve-unconfirmed.ts',
    find: '(scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt',
    replace: '(scan.shownUpTo.get(row.courseUuid) ?? 0) > 0',
    caughtBy: { weather: 'report is stuck', from: 10, seeds: 60 },
  },
  {
    name: 'ignores whether others of the batch arrived',
    file: 'src/issuing/reconcile/decide-absent-row.ts',
    find: 'if (call.batchShown)',
    replace: 'if (call.batchShown && looks < 0)',
    caughtBy: { weather: 'stragglers', seeds: 60 },
  },
  {
    name: 'does not wait for the grace period',
    file: 'src/issuing/reconcile/decide-absent-row.ts',
    find: 'return scanStartedAt.getTime() >= since.getTime() + graceMs',
    replace: 'return scanStartedAt.getTime() >= since.getTime() + graceMs * 0',
    caughtBy: { weather: 'slow report', from: 30, seeds: 60 },
  },
  {
    name: 'sends again without a limit',
    file: 'src/issuing/reconcile/decide-absent-row.ts',
    find: 'if (resends >= policy.resends)',
    replace: 'if (resends >= policy.resends + 9)',
    caughtBy: { weather: 'lost answers', from: 22, seeds: 60 },
  },
  {
    name: 'trusts incomplete scans of the report',
    file: 'src/issuing/reconcile/scan-report.ts',
    find: 'return page.walk === ',
    replace: 'return true || page.walk === ',
    caughtBy: { weather: 'short pages', from: 14, seeds: 60 },
  },
  {
    name: 'does not compare the person in the report with the person sent',
    file: 'src/issuing/reconcile/report-changes.ts',
    find: 'differing: differingOf(issuance, item),',
    replace: 'differing: [],',
    caughtBy: { weather: 'issued by hand under other names', from: 16, seeds: 60 },
  },
  {
    name: 'reports a held row as issued',
    file: 'src/issuing/results/result-lines.ts',
    find: `return row.outcome === 'skipped' ? 'skipped' : (row.state ?? '')`,
    replace: `return row.outcome === 'skipped' ? 'skipped' : row.state === 'held' ? 'issued' : (row.state ?? '')`,
    caughtBy: { weather: 'issued by hand under other names', from: 16, seeds: 60 },
  },
  {
    name: 'sends hours after its claim',
    file: 'jobs/send-once.ts',
    find: 'stillFresh(since, momentOf(clock), freshMs)',
    replace: 'stillFresh(since, momentOf(clock), Number.POSITIVE_INFINITY)',
    caughtBy: { weather: 'frozen after the claim', seed: 1 },
  },
  {
    name: 'lets two rows claim one report item',
    file: 'src/ledger/migrations/0005-report.sql',
    find: `  PRIMARY KEY (environment, item_key)
);
COMMENT ON TABLE report_claim`,
    replace: `  UNIQUE (environment, item_key, issuance_id)
);
COMMENT ON TABLE report_claim`,
    caughtBy: { tests: 'test/src/ledger/report/apply-report.test.ts', title: 'that fails leaves the state unchanged' },
  },
  {
    name: 'requests a job again under the id of a finished one',
    file: 'src/platform/queue/queues.ts',
    find: 'random}`',
    replace: 'random.length}`',
    caughtBy: {
      tests: 'test/src/platform/queue/conformance.test.ts',
      title: 'a job that is added several times for one subject',
    },
  },
]
