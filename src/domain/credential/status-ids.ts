// The status ids for searching the credential report, and the labels that it shows for them. Pure.

/** The service's table "Credential issued status". Two ids share one label. */
export const statusLabels: Readonly<Record<number, string>> = {
  1: 'Request Ready to issue',
  2: 'Request inprogress',
  3: 'Request Completed',
  4: 'Request rejected',
  5: 'Request inprogress',
  6: 'Request inqueue',
  7: 'Request failed',
  8: 'Request not requested',
}

/**
 * Finds the ids for an id or a label. The label may omit "Request"; case, spaces, hyphens and underscores are ignored.
 * @returns an empty list if there are none
 */
export function statusIdsOf(idOrLabel: string): number[] {
  const wanted = plain(idOrLabel)
  const ids = Object.entries(statusLabels).filter(([id, label]) => id === wanted || plain(label) === wanted)
  return ids.map(([id]) => Number(id))
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\-_]/g, '')
    .replace(/^request(?=.)/, '')
}
