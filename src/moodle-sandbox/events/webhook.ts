// Channel A (1.3, captures 10, 11 and 14): the webhook plugin. One POST inside the learner's own request, never repeated.

import type { MoodleJournal } from '../journal.ts'
import { phpJson } from '../written-answer.ts'
import type { CourseCompleted } from './happening.ts'
import { post } from './post.ts'

export interface WebhookTarget {
  url: string
  /** Travels in the body: there is neither a signature nor a header. */
  token: string
}

export async function sendWebhook(
  { url, token }: WebhookTarget,
  event: CourseCompleted,
  siteUrl: string,
  journal: MoodleJournal,
): Promise<void> {
  const headers = {
    'accept-encoding': 'deflate, gzip, br, zstd',
    'user-agent': `MoodleBot/4.5 (+${siteUrl})`,
  }
  const status = await post(url, headers, phpJson({ ...bodyOf(event), host: new URL(siteUrl).hostname, token, extra }))
  journal.did({ kind: 'sent', channel: 'webhook', events: 1, status })
}

const extra = 'credentials'

// Numbers out of the database are texts, as captured.
function bodyOf({ learner, course, completionId, causedBy, at }: CourseCompleted): Record<string, unknown> {
  return {
    eventname: '\\core\\event\\course_completed',
    component: 'core',
    action: 'completed',
    target: 'course',
    objecttable: 'course_completions',
    objectid: String(completionId),
    crud: 'u',
    edulevel: 2,
    contextid: course.contextid,
    contextlevel: 50,
    contextinstanceid: String(course.id),
    userid: String(causedBy),
    courseid: String(course.id),
    relateduserid: String(learner.id),
    anonymous: 0,
    other: { relateduserid: String(learner.id) },
    timecreated: at,
  }
}
