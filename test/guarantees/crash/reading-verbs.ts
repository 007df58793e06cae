// What needs no point of its own.

/** Ledger verbs that change nothing: to die at one is to die after whatever came before it. Locks go with their connection. */
export const readingVerbs: readonly string[] = [
  'archives.due',
  'archives.memoryOf',
  'baselineIsFresh',
  'baselineSince',
  'countOpenAttempts',
  'countPreparedAttempts',
  'findCandidates',
  'findClaims',
  'findRun',
  'firstSightings',
  'probeOf',
  'holdLock',
  'learnedBatchLimit',
  'pipelinesWithDueRows',
  'problemsOf',
  'readWatch',
  'revocations.due',
  'revocations.find',
  'revocations.readyCorrections',
  'runWithStates',
  'unshownRows',
  'wantedVersion',
  'withLock',
]
