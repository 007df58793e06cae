// The alarm rules use existing metrics and labels, and docs/metrics.md shows them as the rules file has them.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startWorker } from '#jobs/worker.ts'
import { states } from '#src/domain/credential/state.ts'
import { callResults, endpointNames } from '#src/issuer/endpoint.ts'
import { events } from '#src/platform/log/events.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openMeteredWorld } from '#test/support/metered-world.ts'
import { readCompleteMetrics } from '#test/support/read-metrics.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  annotations: { summary: string; description: string }
}

const rules: Rule[] = parse(readFileSync('deploy/prometheus-rules.yaml', 'utf8')).groups[0].rules
const document = readFileSync('docs/metrics.md', 'utf8')

test('docs/metrics.md shows each alarm exactly as the rules file has it', () => {
  expect(rules.length).toBeGreaterThan(20)
  for (const { alert, expr, for: length, annotations } of rules) {
    const when = `\`${expr.replaceAll('|', '\\|')}\`${length ? ` for ${length}` : ''}`
    expect(document).toContain(`| ${alert} | ${when} | ${annotations.summary} | ${annotations.description} |\n`)
  }
  expect(document.match(/^\| Credsync/gm)).toHaveLength(rules.length)
})

test('the alarms use existing events, results and states', () => {
  const existing: Record<string, readonly string[]> = {
    event: Object.keys(events),
    result: [...callResults, 'given_up'],
    outcome: ['unknown'],
    state: [...states, 'braked', 'waiting', 'active', 'delayed', 'new', 'strange', 'incomplete', 'drifted'],
    gate: endpointNames,
  }
  const labelMatchers = rules.flatMap(({ expr }) => [...expr.matchAll(/(\w+)=~?"([^"]+)"/g)])
  const values = labelMatchers.flatMap(([, label = '', value = '']) =>
    value.split('|').map((each) => ({ label, each })),
  )
  expect(values.length).toBeGreaterThan(10)
  expect(values.filter(({ label, each }) => !existing[label]?.includes(each))).toEqual([])
})

describeWithDatabase('the metrics of a worker', () => {
  test('are those that docs/metrics.md lists, with no other labels, and include all that alarms use', async () => {
    await using world = await openMeteredWorld()
    await using _worker = await startWorker(world.app)
    const { text } = await readCompleteMetrics(world.web.url)
    const kinds = [...text.matchAll(/^# TYPE (credsync_\w+) (\w+)$/gm)]
    const names = new Set(
      kinds.flatMap(([, name = '', kind]) => (kind === 'histogram' ? [`${name}_bucket`, name] : [name])),
    )
    const usedMetrics = rules.flatMap(({ expr }) => expr.match(/credsync_\w+/g) ?? [])
    expect(usedMetrics.filter((name) => !names.has(name))).toEqual([])

    // `a`, `_b`, `_c` in a table row stand for one name and two variants with other endings.
    const rows = [...document.matchAll(/^\| (`credsync_.+?) \| ([\w, ]*)\| /gm)].map(([, first = '', labels = '']) => {
      const [name = '', ...ends] = [...first.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '')
      const stem = name.replace(/_[a-z]+$/, '')
      return { names: [name, ...ends.map((end) => (end.startsWith('_') ? stem + end : end))], labels: labels.trim() }
    })
    const documented = new Map(rows.flatMap(({ names, labels }) => names.map((name) => [name, labels] as const)))
    expect(new Set(kinds.map((match) => match[1]))).toEqual(
      new Set([...documented.keys(), 'credsync_ledger_figures_age_seconds']),
    )
    for (const [, name = '', labels = ''] of text.matchAll(/^(credsync_\w+?)(?:_bucket|_sum|_count)?\{(.*?)\} /gm)) {
      const allowed = (documented.get(name) ?? documented.get(`${name}_count`) ?? '').split(', ')
      const used = [...labels.matchAll(/(\w+)=/g)].map((match) => match[1] ?? '').filter((label) => label !== 'le')
      expect([name, used.filter((label) => !allowed.includes(label))]).toEqual([name, []])
    }
    // The names of counters end with _total, and those of gauges do not.
    for (const [, name = '', kind] of kinds) expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter'])
  })
})
