// A database that explains each statement before it runs it, and records what the plan touched. Changes of the
// explained statement are rolled back.

import type { Database, Sql } from '#src/platform/database/database.ts'

export interface Explained {
  /** The first words of the statement. */
  statement: string
  /** Rows that were read, including those that a filter removed. */
  read: number
  /** Pages of 8 kB that were touched. */
  buffers: number
  /** Rows that the statement returned or changed. */
  rows: number
  plan: string
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: PlanNode[]
  [removed: `Rows Removed by ${string}`]: number
}

/** @param found is called for each explained statement */
export function explainedDatabase(inner: Database, found: (explained: Explained) => void): Database {
  const explaining = (sql: Sql): Sql => ({
    async query(text, values) {
      if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(text)) {
        await sql.query('SAVEPOINT explained')
        const { rows } = await sql.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        )
        await sql.query('ROLLBACK TO SAVEPOINT explained')
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        if (plan) found({ statement: text.replace(/\s+/g, ' ').trim().slice(0, 100), ...touchedBy(plan) })
      }
      return sql.query(text, values)
    },
  })
  const transaction: Database['transaction'] = (work, mode) => inner.transaction((sql) => work(explaining(sql)), mode)
  return { ...inner, transaction, query: (text, values) => transaction((sql) => sql.query(text, values)) }
}

function touchedBy(root: PlanNode): Omit<Explained, 'statement'> {
  const nodes = nodesOf(root)
  const removed = (node: PlanNode) =>
    Object.entries(node).reduce((sum, [name, value]) => sum + (name.startsWith('Rows Removed') ? Number(value) : 0), 0)
  const scans = nodes.filter((node) => node['Node Type'].includes('Scan'))
  return {
    read: scans.reduce((sum, node) => sum + (node['Actual Rows'] + removed(node)) * node['Actual Loops'], 0),
    buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    rows: root['Actual Rows'],
    plan: nodes
      .map(
        (node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} × ${node['Actual Loops']}`,
      )
      .join(', '),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
