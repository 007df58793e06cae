// What is thrown for settings that cannot be.

/** The setting can't be used; the message names it and says what it may be. */
export class SandboxSettingsError extends Error {
  override name = 'SandboxSettingsError'
}
