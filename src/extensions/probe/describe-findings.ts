// Describes the findings of a probe in words, for the commands `probe` and `check`. Pure.

import type { Findings, Probe, ProbeFinding } from '#src/ledger/probes.ts'
import { formatDuration } from '#src/platform/time/duration.ts'

/** Older probes are marked as old, because the service may have changed since. */
const oldAfterMs = 90 * 86_400_000

/** Returns one phrase for each finding, the most relevant first. */
export function describeFindings(findings: Findings): string[] {
  return [
    describeFinding(findings.duplicates, 'the same recipient twice', ({ verdict, words }) => {
      if (verdict === 'refused') return `is refused (“${words}”)`
      return verdict === 'ignored' ? 'gets one credential' : 'gets two credentials'
    }),
    describeFinding(findings.lag, 'visible', ({ ms }) => `after ${lagWords(ms)}`),
    describeFinding(findings.echoes, 'echoed:', (echoes) => {
      const keys = [...new Set(echoes.map(({ key }) => key))]
      return keys.map((key) => keyWords(findings.echoes, key)).join(', ') || 'nothing'
    }),
  ]
}

/**
 * Describes a probe in one sentence with its date.
 * @param now decides whether the probe is marked as old
 */
export function probeSentence({ probedAt, findings }: Probe, now: Date): string {
  const day = probedAt.toISOString().slice(0, 10)
  const old = now.getTime() - probedAt.getTime() > oldAfterMs ? ' (old: probe again)' : ''
  return `probed ${day}${old}: ${describeFindings(findings).join('; ')}`
}

function describeFinding<T>(finding: ProbeFinding<T>, subject: string, words: (found: T) => string): string {
  const label = subject.replace(/:$/, '')
  return 'found' in finding
    ? `${subject} ${words(finding.found)}`
    : `${label}: not determined (${finding.undetermined})`
}

function lagWords(ms: number): string {
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms)
}

function keyWords(echoes: Findings['echoes'], key: string): string {
  const all = 'found' in echoes ? echoes.found.filter((entry) => entry.key === key) : []
  const fields = [...new Set(all.map(({ field }) => field))].join(' and ')
  const notes = [
    fields,
    ...(all.some(({ match }) => match === 'folded') ? ['case or spaces changed'] : []),
    ...(all.some(({ searchable }) => searchable) ? ['searchable'] : []),
    ...(all.some(({ searchable }) => searchable === false) ? ['not searchable'] : []),
  ]
  return `${key} (${notes.join(', ')})`
}
