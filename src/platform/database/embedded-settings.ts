// The settings of the embedded server: defaults that an operator may edit, and fixed settings that the rest of the
// program depends on.

export const superuser = 'credsync'
export const databaseName = 'credsync'

/**
 * Written into postgresql.conf when the data directory is created; an operator may change them there. The sizes are
 * deliberately small, because the server shares its machine with the worker and stores a few hundred thousand short
 * rows. The package has no JIT, and checkpoints are not worth logging.
 */
export const defaultSettings = [
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
 * Passed on the command line at each start, so that no edited or outdated file overrides them. They ensure that only
 * this machine can connect and that the log contains no rows. The message and detail of an ERROR quote values (`Key
 * (email)=(…) already exists`), and the program that caused it receives it anyway, so the lowest level logged is LOG,
 * which PostgreSQL ranks above ERROR for its log.
 */
export function fixedSettings(port: number): string[] {
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
