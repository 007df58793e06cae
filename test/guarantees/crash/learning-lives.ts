// Where lives end that hear of completions and tell of credentials, in the order of the data: each says what has just happened and what has not.
// These verbs are one statement or one transaction each, so that before and after them is everywhere.

export interface LearningLife {
  story: 'judge' | 'ask' | 'sweep' | 'start' | 'write-back' | 'tell' | 'look-back'
  /** `noun.verb:before` or `:after`. */
  at: string
  what: string
  /** Whether the Moodle does not answer meanwhile. */
  away: boolean
  /** Verbs whose work is on record here and not acted on yet; they need no life of their own. */
  covers: readonly string[]
}

function life(
  story: LearningLife['story'],
  at: string,
  what: string,
  { away = false, covers = [] }: Partial<Pick<LearningLife, 'away' | 'covers'>> = {},
): LearningLife {
  return { story, at, what, away, covers }
}

const away = { away: true }

export const judging: readonly LearningLife[] = [
  life('judge', 'completions.hear:before', 'A delivery is read and the Moodle asked; nothing of it is on record.'),
  life('judge', 'completions.hear:after', 'The completion is on record; its delivery is not judged.'),
  life('judge', 'deliveries.noteJudged:before', 'The same, and the completion was heard again.'),
  life('judge', 'deliveries.noteJudged:after', 'One delivery is judged; the next is not.'),
  life('judge', 'completions.gather:before', 'All deliveries are judged; no run has what they told.'),
  life('judge', 'completions.gather:after', 'A run has it; nobody is asked to read it.'),
  life('judge', 'deliveries.putOff:before', 'The Moodle is away; the deliveries are still due.', away),
  life('judge', 'deliveries.putOff:after', 'They are put off; the job is not done.', {
    ...away,
    covers: ['deliveries.hold'],
  }),
]

export const asking: readonly LearningLife[] = [
  life('ask', 'completions.hear:before', 'The Moodle has answered; nothing of it is on record.'),
  life('ask', 'completions.hear:after', 'The completions are on record; that it was asked is not.'),
  life('ask', 'learningSystems.notePolled:before', 'The same, and they were heard again.'),
  life('ask', 'learningSystems.notePolled:after', 'It was asked to the end; nobody is asked to look at the profiles.'),
  life('ask', 'learningSystems.noteTrouble:before', 'The Moodle is away; it is still due.', away),
  life('ask', 'learningSystems.noteTrouble:after', 'It is put off; the job is not done.', away),
  life('sweep', 'learningSystems.take:after', 'The Moodle is marked as asked for; its job is not in the queue.', {
    covers: ['learningSystems.watch', 'completions.takeToCompare'],
  }),
  life('start', 'completions.gather:before', 'Completions of a refused run wait again; no run has them.', {
    covers: ['completions.waitAgain', 'completions.compareNow', 'completions.tryAgain'],
  }),
]

export const telling: readonly LearningLife[] = [
  life('write-back', 'tells.want:before', 'A run has come to rest; nobody is to be told.'),
  life('write-back', 'tells.want:after', 'Everybody is to be told; nobody is asked to do so.'),
  life('tell', 'tells.note:before', 'The profile shows the credential; the ledger does not know.'),
  life('tell', 'tells.note:after', 'One is told; the next is not.'),
  life('tell', 'tells.putOff:before', 'The Moodle is away three times in a row; the others are still due.', away),
  life('tell', 'tells.putOff:after', 'They are put off; the next target is not told.', away),
  life('tell', 'tells.note:before', 'The event has arrived and was answered; the ledger does not know.'),
  life('tell', 'tells.note:after', 'One event is on record as sent; the next is not sent.'),
  life('tell', 'tells.giveUp:before', 'An address has said 410; the others are still to be told there.'),
  life('tell', 'tells.giveUp:after', 'Nobody is told there any more; the job is not done.'),
]

export const lookingBack: readonly LearningLife[] = [
  life('look-back', 'lookBack.note:before', 'A profile is read; what it shows is not on record.'),
  life('look-back', 'lookBack.note:after', 'One is to be told again; the next is not looked at.'),
]

export const learningLives: readonly LearningLife[] = [...judging, ...asking, ...telling, ...lookingBack]
