// Reads a page of metrics as Prometheus does, as little of it as tests need.

export interface MetricsPage {
  /** The value of a series, such as `credsync_rows{state="issued"}`; undefined where it is not there. Labels left out may be anything, and several are added up. */
  value(name: string, labels?: Record<string, string>): number | undefined
  text: string
}

export async function readMetrics(url: string): Promise<MetricsPage> {
  const answer = await fetch(`${url}/metrics`)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`The metrics answered ${answer.status}: ${text}`)
  return parseMetrics(text)
}

export function parseMetrics(text: string): MetricsPage {
  const series = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === '') throw new Error(`This is no line of metrics: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1], match[2]])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
  return {
    text,
    value(name, labels = {}) {
      const found = series.filter(
        (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )
      return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each.value, 0)
    },
  }
}
