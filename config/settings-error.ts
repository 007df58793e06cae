// Thrown when the configuration is invalid. It reports every fault at once, so that one round of editing is enough.

export interface SettingsFault {
  /** The setting, such as pipelines.spring.template, or the name of the variable or file. */
  where: string
  sentence: string
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly SettingsFault[]
  constructor(faults: readonly SettingsFault[]) {
    const lines = faults.map((fault) => `  - ${fault.where}: ${fault.sentence}`)
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`)
    this.faults = faults
  }
}
