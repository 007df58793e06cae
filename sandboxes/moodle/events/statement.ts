// Builds xAPI statements as the plugin logstore_xapi does (section 1.4, captures 10 and 12): without an id. Pure.

import type { SiteCourse, SiteLearner } from '../records.ts'
import type { Site } from '../site.ts'
import type { ModuleTicked, SiteEvent } from './site-event.ts'

/** How statements identify the actor. A setting of the plugin, by default Moodle's user id. */
export type ActorSetting = 'id' | 'username' | 'mbox'

type Json = Record<string, unknown>

/** @param registration the same for all statements of one request, and different when they are sent again */
export function statementOf(event: SiteEvent, registration: string, site: Site, actor: ActorSetting): Json {
  const eventName = event.kind === 'course completed' ? 'course_completed' : 'course_module_completion_updated'
  const context = {
    platform: 'Moodle',
    registration,
    language: 'en',
    extensions: { 'http://lrs.learninglocker.net/define/extensions/info': infoOf(eventName) },
    contextActivities: contextOf(event, site),
  }
  const rest = {
    context,
    timestamp: `${new Date(event.at * 1000).toISOString().slice(0, 19)}.000Z`,
    actor: actorOf(event.learner, site.url, actor),
  }
  if (event.kind === 'course completed')
    return { ...rest, verb: completed, object: courseObject(event.course, site.url) }
  const object = pageObject(event, site.url)
  return event.kind === 'module ticked'
    ? { ...rest, verb: completed, object, result: { completion: true } }
    : { ...rest, verb: uncompleted, object }
}

const completed = { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'Completed' } }
const uncompleted = {
  id: 'https://xapi.edlm/profiles/edlm-lms/concepts/verbs/uncompleted',
  display: { en: 'Uncompleted' },
}
const externalIdExtension = 'https://w3id.org/learning-analytics/learning-management-system/external-id'
const shortIdExtension = 'https://w3id.org/learning-analytics/learning-management-system/short-id'

function infoOf(event: string): Json {
  return {
    'http://moodle.org': '4.5.6 (Build: 20250811)',
    'https://github.com/xAPI-vle/moodle-logstore_xapi': '5.0.1',
    event_name: `\\core\\event\\${event}`,
    event_function: `\\src\\transformer\\events\\core\\${event}`,
  }
}

function actorOf({ id, username, firstname, lastname, email }: SiteLearner, url: string, actor: ActorSetting): Json {
  const name = `${firstname} ${lastname}`
  if (actor === 'mbox') return { name, mbox: `mailto:${email}` }
  return { name, account: { homePage: url, name: actor === 'id' ? String(id) : username } }
}

function activity(id: string, type: string, name: string, extensions?: Json): Json {
  return {
    objectType: 'Activity',
    id,
    definition: { type, name: { en: name }, ...(extensions ? { extensions } : {}) },
  }
}

function courseObject({ id, fullname, shortname, idnumber }: SiteCourse, url: string): Json {
  const type = 'https://w3id.org/xapi/cmi5/activitytype/course'
  return activity(`${url}/course/view.php?id=${id}`, type, fullname, {
    [shortIdExtension]: shortname,
    [externalIdExtension]: idnumber,
  })
}

function pageObject({ criterion: { cmid, title, idnumber } }: ModuleTicked, url: string): Json {
  const type = 'https://w3id.org/xapi/acrossx/activities/page'
  return activity(`${url}/mod/page/view.php?id=${cmid}`, type, title, { [externalIdExtension]: idnumber })
}

function contextOf(event: SiteEvent, { url, name }: Site): Json {
  const category = [activity(url, 'http://id.tincanapi.com/activitytype/lms', name)]
  if (event.kind === 'course completed') return { category }
  const { course } = event
  const sectionType = 'http://id.tincanapi.com/activitytype/section'
  const section = activity(`${url}/course/section.php?id=${course.id}`, sectionType, `${course.fullname} Section 1`)
  return { parent: [section, courseObject(course, url)], category }
}
