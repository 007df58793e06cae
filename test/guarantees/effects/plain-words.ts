// Replaces what differs from one run of the tests to the next: times, ids of runs, hashes.

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Ids that the scene itself chooses. A random one that only began like them would be shown as it is. */
const chosenUuid = /^([012])\1{7}-/
const moment = /"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)"?/g
const today = () => new Date().toISOString().slice(0, 10)

export interface Known {
  /** When the verb began, in milliseconds. */
  since: number
  until: number
  /** Names of the runs by id. */
  runs: ReadonlyMap<string, string>
}

/** Pure. */
export function plainWords(text: string, { since, until, runs }: Known): string {
  return text
    .replace(moment, (match) => {
      const at = Date.parse(
        match
          .replaceAll('"', '')
          .replace(' ', 'T')
          .replace(/([+-]\d\d)$/, '$1:00'),
      )
      if (at >= since && at <= until) return '"now"'
      const days = Math.abs(at - since) / 86_400_000
      if (days > 100) return match
      return at < since ? '"before"' : `"in ${inWords(at - until)}"`
    })
    .replace(uuid, (match) => runs.get(match) ?? (chosenUuid.test(match) ? match : 'uuid'))
    .replace(/\\+x[0-9a-f]{24,}|\b[0-9a-f]{64}\b/g, 'hash')
    .replace(/\b(\d+\.\d+|\d{15,})\b/g, 'number')
    .replaceAll(today(), 'today')
}

/** Rounded so that a busy machine does not change it. */
function inWords(ms: number): string {
  const [hours, minutes] = [ms / 3_600_000, ms / 60_000]
  if (hours >= 36) return `${Math.round(hours / 24)} days`
  if (hours >= 1.5) return `${Math.round(hours)} hours`
  return minutes > 20 ? 'an hour or less' : 'minutes or less'
}

/** Keys that are hashes differ from one ledger to the next. */
function inOrder(a: readonly [unknown, unknown], b: readonly [unknown, unknown]): number {
  const [one = '', other = ''] = [a, b].map((entry) => JSON.stringify(entry).replace(/\b[0-9a-f]{64}\b/g, ''))
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Longer answers are shown in lines. */
const lineLength = 200

/** An answer as JSON, with what JSON cannot say, in lines that can be read. Pure. */
export function asText(answer: unknown): string {
  const json = asJson(answer)
  if (json.length < lineLength) return json
  if (Array.isArray(answer)) return answer.map(asText).join('\n')
  if (answer instanceof Map) return [...answer].sort(inOrder).map(asJson).join('\n')
  if (answer?.constructor !== Object) return json
  return Object.entries(answer)
    .map(([key, value]) => `${key}: ${asText(value)}`)
    .join('\n')
}

const asJson = (answer: unknown): string =>
  JSON.stringify(answer, (key, value) => {
    // Without an order that means something.
    if (value instanceof Map) return [...value].sort(inOrder)
    if (value instanceof Set) return [...value].sort()
    if (value?.type === 'Buffer') return `${value.data.length} bytes`
    if (/Ms$/.test(key) && typeof value === 'number') return 'ms'
    if (isRecentDay(value)) return 'a recent day'
    return value
  }) ?? 'nothing'

/** Whether a value is a date that depends on the day on which the test runs. */
function isRecentDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  return Math.abs(Date.now() - Date.parse(value)) < 10 * 86_400_000
}
