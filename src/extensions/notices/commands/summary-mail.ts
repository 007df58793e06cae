// Shows what the summary of a demo's list would say if it were sent by e-mail. Reads the ledger and sends nothing.

import type { App } from '#src/app/app.ts'
import { type Cli, say } from '#src/cli/cli-context.ts'
import { composeMessage, messageText } from '#src/extensions/notices/compose-message.ts'
import { occasionsNow } from '#src/extensions/notices/occasions.ts'

/** Shows the message after a list of the demo. */
export async function showSummaryMail(cli: Cli, app: App): Promise<void> {
  say(cli, 'With `notify` (docs/alerts.md), the office would now get this e-mail:')
  for (const line of await summaryMail(app)) say(cli, `    ${line}`)
}

/** Returns the lines of the message: its subject, and its text. */
export async function summaryMail({ ledger, clock }: Pick<App, 'ledger' | 'clock'>): Promise<string[]> {
  const now = clock.now()
  const nothing = { pipelines: [], inboxes: [], targets: [], recipients: [], expecting: [] }
  const readings = await ledger.notices.readings({
    ...nothing,
    ...{ summarizeFrom: new Date(0), refusedFrom: null, countsChanges: false, now },
  })
  const settings = { behind: '1d', remind: '1d', fileNames: true, to: {} }
  const sources = { open: [], expectations: [], pipelines: [], settings, summarizes: true, now }
  const occasion = occasionsNow({ readings, ...sources }).find(({ facts }) => facts.about === 'summary')
  if (occasion?.facts.about !== 'summary') return []
  const faults = (await ledger.violations.byKind(occasion.facts.run)).map(({ value: _, ...fault }) => fault)
  const change = occasion.isFinal ? ('recovered' as const) : ('opened' as const)
  const words = composeMessage([{ ...occasion, id: 0, change, facts: { ...occasion.facts, faults }, at: now }], {
    ...{ environment: ledger.environment, now },
    link: null,
  })
  return [`Subject: ${words.subject}`, '', ...messageText(words).trimEnd().split('\n')]
}
