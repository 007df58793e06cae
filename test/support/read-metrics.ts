// Parses a metrics page as Prometheus does, as far as tests need it.

import { until } from './until.ts'

export interface MetricsPage {
  /**
   * Returns the value of a series such as `credsync_rows{state="issued"}`, or undefined. Series that differ only in
   * labels not given are added up.
   */
  value(name: string, labels?: Record<string, string>): number | undefined
  text: string
}

export async function readMetrics(url: string): Promise<MetricsPage> {
  const answer = await fetch(`${url}/metrics`)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`The metrics page returned status ${answer.status}: ${text}`)
  return parseMetrics(text)
}

/**
 * Reads the page until it has the figures of the ledger and the queues: it leaves them out while these are slow, which
 * they are on a busy machine.
 */
export async function readCompleteMetrics(url: string): Promise<MetricsPage> {
  let page = parseMetrics('')
  await until('the figures of the ledger and the queues', async () => {
    page = await readMetrics(url)
    const isUp = page.value('credsync_database_up') === 1 && page.value('credsync_queue_up') === 1
    return isUp && page.value('credsync_rows') !== undefined && page.value('credsync_queue_jobs') !== undefined
  })
  return page
}

export function parseMetrics(text: string): MetricsPage {
  const series = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === '') throw new Error(`This is not a line of metrics: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1], match[2]])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
  return {
    text,
    value(name, labels = {}) {
      const found = series.filter(
        (entry) => entry.name === name && Object.entries(labels).every(([key, value]) => entry.labels[key] === value),
      )
      return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each.value, 0)
    },
  }
}
