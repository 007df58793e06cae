// What the ledger shows for notices when there is nothing to report.

import type { NoticeReadings } from '#src/extensions/notices/ledger/notice-readings.ts'

export const noReadings: NoticeReadings = {
  ...{
    lists: [],
    refusedLists: [],
    refusals: [],
    held: [],
    braked: [],
    changes: [],
    stops: [],
    obstacles: [],
    open: [],
    pauses: [],
  },
  ...{ troubles: [], systems: [], stalledWorkers: [], failing: [], erasures: [], arrivals: [] },
  revocations: { count: 0, since: null, pastAt: null },
  report: { overdueS: 0, isAwaited: false, readAt: null },
  unread: [],
}
