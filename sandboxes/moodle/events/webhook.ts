// Channel A (section 1.3, captures 10, 11 and 14): the webhook plugin. Sends one HTTP POST within the learner's own
// request and never repeats it.

import { phpJson } from '../http-response.ts'
import type { MoodleJournal } from '../journal.ts'
import { post } from './post.ts'
import type { CourseCompleted } from './site-event.ts'

export interface WebhookTarget {
  url: string
  /** Sent in the body, because the plugin uses neither a signature nor a header. */
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
  journal.record({ kind: 'sent', channel: 'webhook', events: 1, status })
}

const extra = 'credentials'

// As captured, numbers from the database are sent as text.
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
