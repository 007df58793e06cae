// credsync check: reports every fault in the configuration at once, then runs the live checks. It changes nothing in
// the service.

import { plainStorageAddresses } from '#config/addresses-without-tls.ts'
import { plainAddressesInFile } from '#config/addresses-without-tls-in-file.ts'
import { SettingsError } from '#config/read-variable.ts'
import type { Settings } from '#config/settings.ts'
import { checkAll } from '#src/check/check-all.ts'
import { type Check, checkSentence, faultyFromSentence, labelOf, passed } from '#src/check/check-result.ts'
import { partsToCheck } from '#src/check/open-parts.ts'
import { appOptionsFor, type Cli, print, printJson, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode, exitCodeOf } from '../exit-code.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function checkCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  const checks: Check[] = []
  try {
    const settings = await settingsFor(cli, options)
    const notices = plainNotices(settings, cli.env.PGHOST)
    checks.push(passed('configuration', settings.configPath, notices.length > 0 ? { notices } : {}))
    checks.push(...(await checkAll(partsToCheck(settings, appOptionsFor(cli, settings)))))
  } catch (error) {
    // An internal error cannot be fixed in the configuration.
    if (!(error instanceof SettingsError)) throw error
    checks.push(...error.faults.map(({ where, sentence }) => settingsFault(where, sentence, error)))
  }
  const code = codeOf(checks)
  if (options.json) printJson(cli, { ok: code === exitCode.ok, checks: checks.map(({ fault: _, ...shown }) => shown) })
  else for (const line of checks.flatMap(linesOf)) print(cli, indentedLine(line))
  return code
}

function settingsFault(where: string, sentence: string, fault: Error): Check {
  const pipeline = /^pipelines\.([^.]+)/.exec(where)?.[1] ?? null
  return faultyFromSentence(where, sentence, { pipeline, fault }, 'Correct it; config/settings.md lists every setting')
}

/** Repeats each allowed exception to TLS, so that none is forgotten. */
function plainNotices({ databaseUrl, redisUrl, file }: Settings, pgHost?: string): string[] {
  const storage = { databaseUrl: databaseUrl?.reveal() ?? null, redisUrl: redisUrl?.reveal() ?? null, pgHost }
  return [...plainStorageAddresses(storage), ...plainAddressesInFile(file)].map(
    ({ where, host }) => `${where} leads to ${host} without TLS, which CREDSYNC_ALLOW_PLAIN allows`,
  )
}

/** Returns the code of the first fault, which is the one to fix first. */
function codeOf(checks: readonly Check[]): ExitCode {
  const first = checks.find(({ ok }) => !ok)
  if (!first) return exitCode.ok
  const code = first.fault === undefined ? exitCode.usage : exitCodeOf(first.fault)
  return code === exitCode.fault ? exitCode.usage : code
}

function linesOf(check: Check): string[] {
  const label = labelOf(check)
  return [
    `${check.ok ? 'ok   ' : 'FAULT'}  ${label}: ${checkSentence(check)}`,
    ...(check.notices ?? []).map((notice) => `note   ${label}: ${notice}`),
  ]
}
