// The settings of the embedded server: which are taste, and may be edited, and which everything else depends on.

export const superuser = 'credsync'
export const databaseName = 'credsync'

/**
 * Written into postgresql.conf when the data directory is made; an operator may change them there.
 * Small on purpose: the server shares its machine with the worker and holds some hundred thousand short rows. There is
 * no JIT in the package, and checkpoints are not news.
 */
export const tasteSettings = [
  'shared_buffers=64MB',
  'maintenance_work_mem=32MB',
  'min_wal_size=64MB',
  'max_wal_size=512MB',
  'jit=off',
  'log_checkpoints=off',
  'timezone=UTC',
  'log_timezone=UTC',
]

/**
 * Given on the command line at each start, so that no edit and no old file undoes them: only this machine reaches the
 * server, and its log holds no row. An ERROR's text and detail quote values (`Key (email)=(…) already exists`), and
 * the program that caused it has it anyway, so the log begins at LOG, which ranks above ERROR there.
 */
export function firmSettings(port: number): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'logging_collector=off',
    'log_destination=stderr',
  ]
}
