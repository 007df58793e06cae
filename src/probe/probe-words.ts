// The findings of a probe as sentences, for `probe` and `check`. Pure.

import type { Finding, Findings, Probe } from '#src/ledger/probes.ts'
import { formatDuration } from '#src/time/duration.ts'

/** Services change; a probe says how one was on its day. */
const oldAfterMs = 90 * 86_400_000

/** One phrase for each finding, in the order of a reader's interest. */
export function findingWords(findings: Findings): string[] {
  return [
    say(findings.duplicates, 'the same recipient twice', ({ verdict, words }) => {
      if (verdict === 'refused') return `is refused (“${words}”)`
      return verdict === 'ignored' ? 'is taken and issued once' : 'is issued twice'
    }),
    say(findings.lag, 'visible', ({ ms }) => `after ${lagWords(ms)}`),
    say(findings.page, 'pages', pageWords),
    say(findings.badRecipient, 'one bad recipient', ({ verdict, broke, words }) => {
      const quoted = words && verdict !== 'all taken' ? ` “${words}”` : ''
      return `(${broke}): ${badWords[verdict]}${quoted}`
    }),
    say(findings.echoes, 'echoed:', (echoes) => {
      const keys = [...new Set(echoes.map(({ key }) => key))]
      return keys.map((key) => keyWords(findings.echoes, key)).join(', ') || 'nothing'
    }),
    say(findings.spellings, 'searching', ({ search, _search }) => `by search ${search}, by _search ${_search}`),
  ]
}

/** A probe in one sentence, with its date. `now` tells whether it is old. */
export function probeSentence({ environment, probedAt, findings }: Probe, now: Date, named = false): string {
  const day = probedAt.toISOString().slice(0, 10)
  const old = now.getTime() - probedAt.getTime() > oldAfterMs ? ' (old: probe again)' : ''
  return `probed ${day}${named ? ` in ${environment}` : ''}${old}: ${findingWords(findings).join('; ')}`
}

function say<T>(finding: Finding<T>, subject: string, words: (found: T) => string): string {
  const plain = subject.replace(/:$/, '')
  return 'found' in finding
    ? `${subject} ${words(finding.found)}`
    : `${plain}: not determined (${finding.undetermined})`
}

const badWords = {
  'all refused': 'the whole batch is refused',
  'good taken': 'the good ones are taken',
  'all taken': 'all are taken, the bad one too',
  'part taken': 'only a part of the batch is taken',
  'all dropped': 'the batch is accepted and nobody of it shows',
} as const

function lagWords(ms: number): string {
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms)
}

function pageWords({
  largest,
  seenBy,
  capped,
}: {
  largest: number
  seenBy: 'rows' | 'pager'
  capped: boolean
}): string {
  const by = seenBy === 'rows' ? 'seen by their rows' : "by the pager's word"
  return capped ? `of ${largest} (${by})` : `of ${largest} and perhaps more (${by})`
}

function keyWords(echoes: Findings['echoes'], key: string): string {
  const all = 'found' in echoes ? echoes.found.filter((each) => each.key === key) : []
  const fields = [...new Set(all.map(({ field }) => field))].join(' and ')
  const notes = [
    fields,
    ...(all.some(({ match }) => match === 'folded') ? ['case or spaces changed'] : []),
    ...(all.some(({ searchable }) => searchable) ? ['searchable'] : []),
    ...(all.some(({ searchable }) => searchable === false) ? ['not searchable'] : []),
  ]
  return `${key} (${notes.join(', ')})`
}
