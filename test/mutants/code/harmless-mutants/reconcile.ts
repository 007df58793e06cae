// Mutants in src/issuing/reconcile that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const reconcile: HarmlessByFile = {
  'src/issuing/reconcile/decide-absent-row.ts': [
    {
      line: 'const since = lastLookAt && lastLookAt > call.overAt ? lastLookAt : call.overAt',
      mutants: [['lastLookAt > call.overAt', 'lastLookAt >= call.overAt']],
      why: 'Both times are the same then.',
    },
    {
      line: "const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']",
      mutants: [["'first'", '""']],
      why: 'A row that was never sent again is held with another reason.',
    },
  ],
  'src/issuing/reconcile/first-list-inquiry.ts': [
    {
      line: 'const answer: ReportAnswer = { items: [], complete: false, total: null }',
      mutants: [['false', 'true']],
      why: 'Every search yields at least one page, which sets it.',
    },
  ],
  'src/issuing/reconcile/first-list-keys.ts': [
    {
      line: "return value ? normalizeMatch(kindOf(key), value) : ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'No person is searched by an empty value.',
    },
    {
      line: "if (key === 'email_') return 'email'",
      mutants: [["key === 'email_'", 'false']],
      why: 'Addresses and numbers of registers are compared in the same way.',
    },
  ],
  'src/issuing/reconcile/match-items.ts': [
    {
      line: 'isSomebodyElse: (candidate: Candidate, item: Item) => boolean = () => false,',
      mutants: [['false', 'true']],
      why: 'All items wait then, and are matched in the same order.',
    },
  ],
  'src/issuing/reconcile/read-report-item.ts': [
    {
      line: "const parts = /^(\\d{4})-(\\d{2})-(\\d{2})/.exec(text ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither begins with a date.',
    },
  ],
  'src/issuing/reconcile/repeated-rows.ts': [
    {
      line: "let [latestDay, found] = ['', false]",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a day.',
    },
    {
      line: "const lastDay = (last && dayOf(last)) ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a day.',
    },
  ],
  'src/issuing/reconcile/revoked-order.ts': [
    {
      line: "return /^\\d{4}-\\d{2}-\\d{2}/.exec(text ?? '')?.[0] ?? null",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither begins with a date.',
    },
  ],
  'src/issuing/reconcile/watch-plan.ts': [
    {
      line: 'if (credentialCount >= share && lookedAt.getTime() >= lateBefore) break',
      mutants: [['lookedAt.getTime() >= lateBefore', 'lookedAt.getTime() > lateBefore']],
      why: 'Two passes are spare, so the day may be read in the next one.',
    },
  ],
}
