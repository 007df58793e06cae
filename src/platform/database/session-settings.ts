// The settings that our statements need on every connection. A role, database or server may have other values, with
// which statements would be slow or fail for no visible reason. So the settings are passed when a connection is opened.

/** Values by setting name, in lower case as in pg_settings. The values have no units. */
const assumed: Readonly<Record<string, string>> = {
  // Compiling a plan takes longer than running it. Before PostgreSQL 18, half of our plans had an estimated cost of
  // 10^10, because those versions implement settings such as enable_seqscan = off as added cost.
  jit: 'off',
  // Starting a parallel worker takes longer than any statement that is run for each batch.
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'auto',
  enable_seqscan: 'on',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_bitmapscan: 'on',
  enable_nestloop: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  enable_sort: 'on',
  // The text format of values, for both input and output.
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // What a statement can see and do. A policy that hides rows is an error, because a credential could be issued twice
  // to a hidden person.
  default_transaction_isolation: 'read\\ committed',
  default_transaction_deferrable: 'off',
  row_security: 'off',
  // A transaction that was left open must not hold locks forever, and a bad query plan must not run for hours.
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
  lock_timeout: '30000',
  statement_timeout: '300000',
  // If a client machine disappears, its locks must not be kept for two hours.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

/**
 * Returns the value of the startup parameter `options` for a connection. Pure.
 * @param schema the only schema that the connection searches; lower-case letters and underscores
 */
export function sessionOptions(schema: string): string {
  return Object.entries({ search_path: schema, ...assumed })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
