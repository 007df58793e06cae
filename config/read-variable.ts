// Reads one environment variable, or the mounted file that NAME_FILE names, and defines the error for an invalid
// configuration. Faults never contain values.

import { readFile } from 'node:fs/promises'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the value of a variable, or the content of the file that NAME_FILE names; null if neither is given.
 * @param meaning what the variable contains; given only for a required variable, whose absence is a fault
 */
export async function readVariable(
  env: Env,
  name: string,
  faults: SettingsFault[],
  meaning?: string,
): Promise<string | null> {
  const path = env[`${name}_FILE`]
  if (env[name] && path)
    faults.push({ where: name, sentence: `is given twice, as ${name} and as ${name}_FILE. Keep only one of the two` })
  if (env[name]) return env[name]
  if (path) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text?.trim()) return text.trim()
    faults.push({
      where: `${name}_FILE`,
      sentence: text === null ? 'names a file that cannot be read' : 'names an empty file',
    })
    return null
  }
  if (meaning)
    faults.push({
      where: name,
      sentence: `is not set: ${meaning}. Set it, or set ${name}_FILE to the path of a file that contains it`,
    })
  return null
}

export interface SettingsFault {
  /** The setting, such as pipelines.spring.template, or the name of the variable or file. */
  where: string
  sentence: string
}

/** Thrown when the configuration is invalid. It reports every fault at once, so that one round of editing is enough. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly SettingsFault[]
  constructor(faults: readonly SettingsFault[]) {
    const lines = faults.map((fault) => `  - ${fault.where}: ${fault.sentence}`)
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`)
    this.faults = faults
  }
}
