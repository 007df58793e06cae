// Keeps the high-water mark in memory, for tests and simulations. Like a file, it persists when simulated
// processes end.

import { type HighWaterMark, isLaterMark } from '#src/domain/credential/high-water-mark.ts'
import { isOfSameLedger, type MarkKeeper } from '#src/ledger/mark/keeper.ts'

export function keepInMemory(): MarkKeeper {
  let marks: readonly HighWaterMark[] = []
  const put = (mark: HighWaterMark) => {
    marks = [...marks.filter((each) => !isOfSameLedger(each, mark)), mark]
  }
  return {
    where: 'memory',
    read: async () => ({ marks, isUnreadable: false }),
    async raise(mark) {
      const before = { marks, isUnreadable: false }
      const own = marks.find((each) => isOfSameLedger(each, mark))
      if (!own || isLaterMark(mark, own)) put(mark)
      return before
    },
    put: async (mark) => put(mark),
  }
}
