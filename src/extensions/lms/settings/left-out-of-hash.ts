// What the hash of the settings leaves out of those of learning systems and targets. Pure.

import { mapValues, withoutSecrets } from '#config/without-secrets.ts'

export function withoutSystemSecrets<File extends { systems: object; pipelines: object }>(file: File): File {
  return {
    ...file,
    // By name, so that no system's own name is taken for that of a secret.
    systems: mapValues(file.systems, withoutSecrets),
    pipelines: mapValues(file.pipelines, (each) => ({
      ...each,
      ...('writeBack' in each && { writeBack: withoutSecrets(each.writeBack) }),
    })),
  }
}
