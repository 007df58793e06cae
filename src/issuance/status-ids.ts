// The ids of the credential report's states, by which it is searched, and the labels under which it shows them. Pure.

/** The service's table "Credential issued status". Two ids have one label. */
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

/** The ids that a number or a label means, with or without its "Request"; none when it means nothing. Case, spaces and hyphens make no difference. */
export function statusIdsOf(word: string): number[] {
  const wanted = plain(word)
  const ids = Object.entries(statusLabels).filter(([id, label]) => id === wanted || plain(label) === wanted)
  return ids.map(([id]) => Number(id))
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\-_]/g, '')
    .replace(/^request(?=.)/, '')
}
