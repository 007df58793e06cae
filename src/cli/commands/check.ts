// credsync check: every fault of the configuration at once, then live checks. It changes nothing at the service.

import { SettingsError } from '#config/settings-error.ts'
import { badSentence, type Check, good, labelOf, sentenceOf } from '#src/check/check.ts'
import { checkAll } from '#src/check/check-all.ts'
import { partsOf } from '#src/check/open-parts.ts'
import { type ExitCode, exitCode, exitCodeOf } from '../exit-code.ts'
import { answer, answerJson, aroundOf, type Cli, settingsFor } from '../surroundings.ts'

export async function checkCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  const checks: Check[] = []
  try {
    const settings = await settingsFor(cli, options)
    checks.push(good('configuration', settings.configPath))
    checks.push(...(await checkAll(partsOf(settings, aroundOf(cli, settings)))))
  } catch (error) {
    // A fault of ours is nothing that a person could mend in the configuration.
    if (!(error instanceof SettingsError)) throw error
    checks.push(...error.faults.map(({ where, sentence }) => settingsFault(where, sentence, error)))
  }
  const code = codeOf(checks)
  if (options.json) answerJson(cli, { ok: code === exitCode.ok, checks: checks.map(shown) })
  else for (const line of checks.flatMap(linesOf)) answer(cli, line)
  return code
}

function settingsFault(where: string, sentence: string, fault: Error): Check {
  const pipeline = /^pipelines\.([^.]+)/.exec(where)?.[1] ?? null
  return badSentence(where, sentence, { pipeline, fault }, 'Correct it; config/settings.md lists every setting')
}

/** By the first fault, as whoever mends begins there. */
function codeOf(checks: readonly Check[]): ExitCode {
  const first = checks.find(({ ok }) => !ok)
  if (!first) return exitCode.ok
  const code = first.fault === undefined ? exitCode.usage : exitCodeOf(first.fault)
  return code === exitCode.fault ? exitCode.usage : code
}

function shown({ name, pipeline, system, ok, what, remedy, notices, fields }: Check): object {
  return {
    name,
    pipeline,
    ok,
    what,
    remedy,
    ...(system !== undefined && { system }),
    ...(notices && { notices }),
    ...(fields && { fields }),
  }
}

function linesOf(check: Check): string[] {
  const label = labelOf(check)
  return [
    `${check.ok ? 'ok   ' : 'FAULT'}  ${label}: ${sentenceOf(check)}`,
    ...(check.fields ? [`fields ${label}: ${fieldWords(check.fields)}`] : []),
    ...(check.notices ?? []).map((notice) => `note   ${label}: ${notice}`),
  ]
}

function fieldWords(fields: NonNullable<Check['fields']>): string {
  if (fields.length === 0) return 'the course has none'
  return fields.map(({ name, required }) => (required ? `${name} (required)` : name)).join(', ')
}
