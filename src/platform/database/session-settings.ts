// What our statements assume of a connection. Roles, databases and servers may set each of these to something else,
// which would fail in ways that nobody recognizes, or be slow. So they are given when a connection is opened.

/** By name in lower case, as in pg_settings; without units. */
const assumed: Readonly<Record<string, string>> = {
  // Compiling a plan costs more than running it: half of our plans cost 10^10 before PostgreSQL 18, because settings
  // such as enable_seqscan = off count as cost there.
  jit: 'off',
  // Starting a parallel worker costs more than any statement that is run for each batch.
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
  // What values look like, in both directions.
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // What a statement sees and may do. A policy that hides rows is an error, because a hidden person could be issued
  // twice.
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
 * Returns the startup parameter `options` of a connection. Pure.
 * @param schema the only one that it searches; lower-case letters and underscores
 */
export function sessionOptions(schema: string): string {
  return Object.entries({ search_path: schema, ...assumed })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
