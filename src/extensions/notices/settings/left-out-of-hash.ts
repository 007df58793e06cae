// Leaves the secrets and addresses of notices and heartbeats out of the hash of the settings. Pure.

import { mapValues, withoutSecrets } from '#config/without-secrets.ts'

interface NoticeSettings {
  notify?: { smtp?: unknown; to: object } | undefined
  heartbeat?: { every: unknown } | undefined
}

/** Leaves out secrets, and the addresses of hooks, because anybody who knows one can post to it. */
export function withoutNoticeAddresses<File extends NoticeSettings>(file: File): File {
  const { notify, heartbeat } = file
  return {
    ...file,
    notify: notify && { ...notify, smtp: withoutSecrets(notify.smtp), to: mapValues(notify.to, withoutAddresses) },
    heartbeat: heartbeat && { every: heartbeat.every },
  }
}

const withoutAddresses = (recipient: object) => ({
  ...recipient,
  slack: undefined,
  teams: undefined,
  webhook: undefined,
  secret: undefined,
})
