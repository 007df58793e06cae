// Where lives end that tend an inbox, in the order of a file's way: each says what has just happened and what has not.

export interface InboxLife {
  story: 'ask for looks' | 'collect' | 'collect without the folder' | 'collect with a run at rest'
  /** `noun.verb:before` or `:after`. */
  at: string
  what: string
}

const life = (story: InboxLife['story'], at: string, what: string): InboxLife => ({ story, at, what })

export const inboxLives: readonly InboxLife[] = [
  life('collect', 'inboxes.lookOf:before', 'An inbox is about to be looked at for the first time.'),
  life('collect', 'inboxes.lookOf:after', 'It is known; nobody has looked.'),
  life('ask for looks', 'inboxes.take:before', 'A look is due; it is not marked as asked for.'),
  life('ask for looks', 'inboxes.take:after', 'It is marked as asked for; its job is not in the queue.'),
  life('collect', 'inboxes.receive:before', 'A file is in processing; it is no run.'),
  life('collect', 'inboxes.receive:after', 'It is a run; nobody is asked to read it.'),
  life('collect', 'inboxes.noteLook:before', 'All files are received; that somebody looked is not on record.'),
  life('collect', 'inboxes.noteLook:after', 'The look is on record; no file is put away.'),
  life('collect with a run at rest', 'inboxes.noteFiled:before', 'A file is in done; the ledger does not know.'),
  life('collect with a run at rest', 'inboxes.noteFiled:after', 'One file is put away; the next is not.'),
  life('collect', 'inboxes.noteTended:before', 'All is done; the look still counts as asked for.'),
  life('collect', 'inboxes.noteTended:after', 'The next look may be asked for; the job is not done.'),
  life('collect without the folder', 'inboxes.noteProblem:before', 'The folder is gone; nobody knows.'),
  life('collect without the folder', 'inboxes.noteProblem:after', 'That is on record; nobody is told.'),
]
