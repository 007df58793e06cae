// Describes a held row: the reason, the evidence, and the consequence of each possible answer. Pure.

import type { HeldRow } from '#src/ledger/rows-to-decide.ts'

export const heldBecause = ({ reason }: Pick<HeldRow, 'reason'>): string => reason ?? 'its outcome is unknown'

export function heldEvidence(
  row: Pick<HeldRow, 'sendings' | 'claimedItem' | 'reportStatus' | 'credentialId' | 'looks'>,
): {
  sent: string
  shown: string
} {
  return {
    sent: row.sendings === 1 ? 'sent once' : `sent ${row.sendings} times`,
    shown: row.claimedItem
      ? `the report shows item ${row.claimedItem} (${row.reportStatus ?? 'no status'}${row.credentialId ? `, credential ${row.credentialId}` : ''})`
      : `${row.looks} complete scans of the report did not show it`,
  }
}

/** Returns the possible answers, the commands that give them, and their consequences. */
export function heldAnswers(id: number): { answer: 'sent' | 'not sent'; command: string; leadsTo: string }[] {
  return [
    {
      answer: 'sent',
      command: `credsync resolve i${id} --sent`,
      leadsTo:
        'the service has this request: follow it, send nothing. If it does not, the row stays requested forever, and the person gets nothing',
    },
    {
      answer: 'not sent',
      command: `credsync resolve i${id} --not-sent`,
      leadsTo:
        'the service does not have it: send it, as if for the first time. If it does, the person gets two credentials',
    },
  ]
}
