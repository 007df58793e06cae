// The known JSON Pointers for the events of common systems. Each preset names its source; unknown members are omitted.
// Pure.

/** The part of the map settings that is known; event-map-settings.ts documents the members. */
export interface KnownEvents {
  list?: string[]
  type: string
  accept: string[]
  id?: string
  deliveryId?: string
  learner?: { id: string; email?: string }
  course?: string
  completedAt?: { pointer: string; format: 'iso' | 'epoch-seconds' | 'epoch-ms' }
  fields?: Record<string, string>
  ignoreUnless?: Record<string, string | number | boolean>
}

export type EventPreset = 'moodle-webhook' | 'canvas' | 'open-edx' | 'docebo'

const edxCertificate = '/openedx_events.learning.data.CertificateData'

export const eventPresets: Readonly<Record<EventPreset, KnownEvents>> = {
  // Source: bodies of local_webhooks on Moodle 4.5.6. `userid` is the account that caused the event, such as a teacher
  // or cron. There is no event id, because `objectid` is unique only within one table.
  'moodle-webhook': {
    type: '/eventname',
    accept: ['\\core\\event\\course_completed'],
    learner: { id: '/relateduserid' },
    course: '/courseid',
    completedAt: { pointer: '/timecreated', format: 'epoch-seconds' },
  },
  // Source: Live Events in Canvas format, developerdocs.instructure.com, course_completed. `metadata.user_id` is the
  // user who caused the event.
  canvas: {
    type: '/metadata/event_name',
    accept: ['course_completed'],
    learner: { id: '/body/user/id', email: '/body/user/email' },
    course: '/body/course/id',
    completedAt: { pointer: '/body/progress/completed_at', format: 'iso' },
    fields: { 'user name': '/body/user/name' },
  },
  // Source: aulasneo/openedx-webhooks, receivers.py, and openedx-events, CertificateData. The certificate has no time,
  // so the time of the event is used.
  'open-edx': {
    type: '/event_metadata/event_type',
    accept: ['org.openedx.learning.certificate.created.v1'],
    id: '/event_metadata/id',
    learner: { id: `${edxCertificate}/user/id`, email: `${edxCertificate}/user/pii/email` },
    course: `${edxCertificate}/course/course_key`,
    completedAt: { pointer: '/event_metadata/time', format: 'iso' },
    fields: { 'user name': `${edxCertificate}/user/pii/name` },
  },
  // Source: developer.docebo.com, webhooks, for the envelope only. The content of the events is not known, so the
  // settings must define learner and course.
  docebo: {
    list: ['/payloads', '/payload'],
    type: '#/event',
    accept: ['course.enrollment.completed'],
    deliveryId: '/message_id',
  },
}
