// The points at which processes that handle an inbox are stopped, in the order in which a file is processed. Each says
// what has and has not happened by then.

export interface InboxKill {
  job: 'schedule checks' | 'collect' | 'collect without the folder' | 'collect with a settled run'
  /** `noun.verb:before` or `:after`. */
  at: string
  what: string
}

const kill = (job: InboxKill['job'], at: string, what: string): InboxKill => ({ job, at, what })

export const inboxKills: readonly InboxKill[] = [
  kill('collect', 'inboxes.status:before', 'An inbox is about to be checked for the first time.'),
  kill('collect', 'inboxes.status:after', 'The inbox is recorded but not yet checked.'),
  kill('schedule checks', 'inboxes.take:before', 'A check is due but not yet marked as requested.'),
  kill('schedule checks', 'inboxes.take:after', 'The check is marked as requested; its job is not in the queue.'),
  kill('collect', 'inboxes.receive:before', 'A file is in processing; it has no run yet.'),
  kill('collect', 'inboxes.receive:after', 'The file has a run; reading it is not requested yet.'),
  kill('collect', 'inboxes.noteScan:before', 'All files are received; the check is not recorded.'),
  kill('collect', 'inboxes.noteScan:after', 'The check is recorded; no file is moved to its final folder.'),
  kill(
    'collect with a settled run',
    'inboxes.noteFiled:before',
    'A file is in done; the ledger has no record of that.',
  ),
  kill('collect with a settled run', 'inboxes.noteFiled:after', 'One file is recorded as moved; the next is not.'),
  kill('collect', 'inboxes.noteFinished:before', 'Everything is done; the check is still marked as requested.'),
  kill('collect', 'inboxes.noteFinished:after', 'The next check may be requested; the job has not ended.'),
  kill('collect without the folder', 'inboxes.noteProblem:before', 'The folder is missing; nothing is recorded yet.'),
  kill('collect without the folder', 'inboxes.noteProblem:after', 'The missing folder is recorded but not yet logged.'),
]
