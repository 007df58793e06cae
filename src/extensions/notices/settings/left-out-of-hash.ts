// What the hash of the settings leaves out of those of notices and heartbeats: secrets, and the addresses of hooks, to
// which whoever knows one can post. Pure.

import { mapValues, withoutSecrets } from '#config/without-secrets.ts'

interface NoticeSettings {
  pipelines: object
  notify?: { smtp?: unknown; to: object } | undefined
  heartbeat?: { every: unknown } | undefined
}

export function withoutNoticeAddresses<File extends NoticeSettings>(file: File): File {
  const { pipelines, notify, heartbeat } = file
  return {
    ...file,
    pipelines: mapValues(pipelines, (each) => ({ ...each, heartbeat: undefined })),
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
