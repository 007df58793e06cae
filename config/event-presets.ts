// Pointers that are known to fit the events of a system. Each says where they are known from; what is not known is left out.

/** As much of the settings of a map as is known of one system; see event-map-settings.ts for the words. */
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
  // Bodies of local_webhooks on Moodle 4.5.6. `userid` is whoever caused the event, a teacher or cron; it has no id of its own,
  // because `objectid` counts for each table anew.
  'moodle-webhook': {
    type: '/eventname',
    accept: ['\\core\\event\\course_completed'],
    learner: { id: '/relateduserid' },
    course: '/courseid',
    completedAt: { pointer: '/timecreated', format: 'epoch-seconds' },
  },
  // Live Events in Canvas format, developerdocs.instructure.com, course_completed. `metadata.user_id` is the acting user.
  canvas: {
    type: '/metadata/event_name',
    accept: ['course_completed'],
    learner: { id: '/body/user/id', email: '/body/user/email' },
    course: '/body/course/id',
    completedAt: { pointer: '/body/progress/completed_at', format: 'iso' },
    fields: { 'user name': '/body/user/name' },
  },
  // aulasneo/openedx-webhooks, receivers.py, and openedx-events, CertificateData. The certificate has no time: the event has.
  'open-edx': {
    type: '/event_metadata/event_type',
    accept: ['org.openedx.learning.certificate.created.v1'],
    id: '/event_metadata/id',
    learner: { id: `${edxCertificate}/user/id`, email: `${edxCertificate}/user/pii/email` },
    course: `${edxCertificate}/course/course_key`,
    completedAt: { pointer: '/event_metadata/time', format: 'iso' },
    fields: { 'user name': `${edxCertificate}/user/pii/name` },
  },
  // developer.docebo.com, webhooks: the envelope. What is inside of an event was not seen, so learner and course are for the settings to say.
  docebo: {
    list: ['/payloads', '/payload'],
    type: '#/event',
    accept: ['course.enrollment.completed'],
    deliveryId: '/message_id',
  },
}
