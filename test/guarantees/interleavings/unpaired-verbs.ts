// Ledger verbs that are not paired with others in this suite.

/** Verbs that write nothing. */
export const readOnly: readonly string[] = [
  ...[
    'adoptions.heldRuns',
    'sendingStops.doubt',
    'sendingStops.stops',
    'firstList.sample',
    'firstList.status',
    'brake.issuedToday',
    'waiting.facts',
  ],
  ...['watching.allDoneSince', 'watching.issuedDays', 'watching.shown', 'watching.status', 'watching.unseen'],
  ...['watching.withoutLink'],
  ...['adoptions.namesOf', 'adoptions.othersCalled', 'adoptions.known', 'adoptions.unfinished'],
  ...[
    'archives.due',
    'archives.memoryOf',
    'archives.statuses',
    'scans.baselineIsFresh',
    'scans.baselineSince',
    'knownRows.compare',
  ],
  ...[
    'scans.completeSince',
    'completions.columnsOf',
    'completions.heldOf',
    'completions.invalid',
    'completions.known',
    'completions.rowsOf',
    'completions.counts',
  ],
  ...[
    'completions.waiting',
    'completions.waitingFor',
    'completions.withEmptyColumns',
    'attempts.countOpen',
    'attempts.countPrepared',
    'inboundEvents.find',
    'inboundEvents.named',
  ],
  ...[
    'inboundEvents.counts',
    'inboundEvents.strange',
    'inboundEvents.unprocessed',
    'inboundEvents.waiting',
    'issuances.explain',
  ],
  ...[
    'report.findCandidates',
    'report.findClaims',
    'runs.find',
    'scans.firstSightings',
    'decisions.heldRows',
    'inboxes.statuses',
    'inboxes.namedFiles',
  ],
  ...[
    'inboxes.pipelinesToFile',
    'inboxes.unfiled',
    'issuances.states',
    'knownRows.people',
    'courses.learnedBatchLimit',
  ],
  ...[
    'learningSystems.dueOf',
    'learningSystems.statuses',
    'runs.list',
    'attempts.load',
    'drift.due',
    'courses.needsCanary',
  ],
  ...[
    'courses.pauses',
    'work.pipelinesWithDueRows',
    'probes.find',
    'violations.byKind',
    'images.read',
    'writeBacks.readRows',
    'poller.read',
  ],
  ...['brake.recentSizes', 'revocations.waitingChanges', 'revocations.due', 'revocations.find', 'revocations.open'],
  ...['revocations.readyCorrections', 'revocations.namingRow', 'revocations.targets', 'revocations.toDecide'],
  ...[
    'runs.withStates',
    'runs.named',
    'deliveries.due',
    'deliveries.goneReason',
    'deliveries.shown',
    'deliveries.counts',
    'deliveries.waiting',
  ],
  ...[
    'work.unsentByPipeline',
    'absence.unshownRows',
    'version.check',
    'writeBacks.wantedVersion',
    'workers.dead',
    'workers.withOtherStore',
  ],
]

/** Verbs that write but cannot conflict with another verb on a row, grouped by reason. */
export const cannotConflict: Readonly<Record<string, readonly string[]>> = {
  'adds a row that no other verb can know yet': ['scans.begin'],
  'changes no row': ['adoptions.refreshStatistics'],
  'changes one row of a table that no other verb writes, in one statement': [
    ...['probes.keep', 'obstacles.note', 'obstacles.clear'],
  ],
  'takes a lock: tested in torture/ and zombies/': [
    ...['locks.hold', 'workers.join', 'locks.withLock', 'locks.withLockAfter'],
  ],
  'changes rows of workers: tested in several-workers/ and zombies/': [
    ...['workers.forget', 'workers.noteAlive', 'workers.record', 'workers.noteStore', 'workers.terminateStalled'],
  ],
}
