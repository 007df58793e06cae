// credsync check: every fault of the configuration at once, then live checks. It changes nothing at the service.

import { SettingsError } from '#config/settings-error.ts'
import { type Check, checkApp } from '#src/check/check-app.ts'
import { isOwn } from '#src/check/speakable.ts'
import { type ExitCode, exitCode, exitCodeOf } from '../exit-code.ts'
import { answer, answerJson, appFor, type Cli, settingsFor } from '../surroundings.ts'

export async function checkCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  const checks: Check[] = []
  let code: ExitCode = exitCode.ok
  try {
    const settings = await settingsFor(cli, options)
    checks.push({ what: 'configuration', ok: true, sentence: settings.configPath })
    await using app = await appFor(cli, settings)
    checks.push(...(await checkApp(app)))
    const bad = checks.find((check) => !check.ok)
    if (bad) code = bad.fault ? exitCodeOf(bad.fault) : exitCode.usage
    if (code === exitCode.fault) code = exitCode.usage
  } catch (error) {
    // A fault of ours is nothing that a person could mend in the configuration.
    if (!isOwn(error)) throw error
    const faults =
      error instanceof SettingsError
        ? error.faults.map((fault) => ({ what: fault.where, sentence: fault.sentence }))
        : null
    const sentences = faults ?? [{ what: 'start', sentence: error.message }]
    checks.push(...sentences.map((each) => ({ ...each, ok: false })))
    code = exitCodeOf(error) === exitCode.fault ? exitCode.usage : exitCodeOf(error)
  }
  if (options.json)
    answerJson(cli, {
      ok: code === exitCode.ok,
      checks: checks.map(({ what, ok, sentence, notices, fields }) => ({
        what,
        ok,
        sentence,
        ...(notices && { notices }),
        ...(fields && { fields }),
      })),
    })
  else
    for (const check of checks) {
      answer(cli, `${check.ok ? 'ok   ' : 'FAULT'}  ${check.what}: ${check.sentence}`)
      if (check.fields) answer(cli, `fields ${check.what}: ${fieldWords(check.fields)}`)
      for (const notice of check.notices ?? []) answer(cli, `note   ${check.what}: ${notice}`)
    }
  return code
}

function fieldWords(fields: NonNullable<Check['fields']>): string {
  if (fields.length === 0) return 'the course has none'
  return fields.map(({ name, required }) => (required ? `${name} (required)` : name)).join(', ')
}
