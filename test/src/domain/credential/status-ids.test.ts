// The ids by which the report is searched for a status.

import { expect, test } from 'vitest'
import { allStatusIds, readReportStatus } from '#src/domain/credential/report-status.ts'
import { statusIdsOf, statusLabels } from '#src/domain/credential/status-ids.ts'

test.each<[string, number[]]>([
  ['3', [3]],
  ['Request Completed', [3]],
  ['completed', [3]],
  ['COMPLETED', [3]],
  ['request-completed', [3]],
  ['in progress', [2, 5]],
  ['in_progress', [2, 5]],
  ['Request Ready to issue', [1]],
  ['rejected', [4]],
  ['in queue', [6]],
  ['failed', [7]],
  ['not requested', [8]],
  ['request', []],
  ['my request completed', []],
  ['9', []],
  ['', []],
])('%j stands for the ids %j', (idOrLabel, ids) => {
  expect(statusIdsOf(idOrLabel)).toEqual(ids)
})

test('each id has a label that the report’s reader knows', () => {
  expect(Object.keys(statusLabels).map(Number)).toEqual(allStatusIds)
  for (const id of allStatusIds) expect(readReportStatus(statusLabels[id] ?? '', null).kind).not.toBe('unknown')
})
