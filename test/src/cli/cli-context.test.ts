// From which level a command logs: a short command reports in sentences, unless somebody asked for its log.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { appOptionsFor, type Cli } from '#src/cli/cli-context.ts'
import { systemClock } from '#src/platform/time/clock.ts'

/** Returns the levels that a command logs. The level of the file is the one that CREDSYNC_LOG_LEVEL sets, if it does. */
function loggedLevels(level: string, env: Cli['env'], mode: 'short' | 'worker'): string[] {
  const stderr = new PassThrough()
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, log: { level } })
  const cli = { env, stderr, clock: systemClock, random: () => 0.5 } as unknown as Cli
  const { log } = appOptionsFor(cli, { file } as Settings, mode)
  log.event('web.listening')
  log.event('limit.shared')
  log.event('fault')
  const names: Record<number, string> = { 30: 'info', 40: 'warn', 50: 'error' }
  const lines = String(stderr.read() ?? '')
    .split('\n')
    .filter(Boolean)
  return lines.map((line) => names[JSON.parse(line).level] ?? '')
}

const requested = { CREDSYNC_LOG_LEVEL: 'info' }

test.each([
  ['a worker logs everything from info', 'info', {}, 'worker', ['info', 'warn', 'error']],
  ['a short command logs only errors', 'info', {}, 'short', ['error']],
  [
    'a short command logs from info if CREDSYNC_LOG_LEVEL says so',
    'info',
    requested,
    'short',
    ['info', 'warn', 'error'],
  ],
  ['a short command logs from another level of the file', 'warn', {}, 'short', ['warn', 'error']],
] as const)('%s', (_, level, env, mode, levels) => {
  expect(loggedLevels(level, env, mode)).toEqual(levels)
})
