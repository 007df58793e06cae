// The error for invalid settings of the sandbox.

/** Thrown for an invalid setting; the message names the setting and its allowed values. */
export class SandboxSettingsError extends Error {
  override name = 'SandboxSettingsError'
}
