// Formats a learner for the functions that return users (capture 21), with only what the role may see. Pure.

import type { SiteLearner } from '../records.ts'
import type { Site } from '../site.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceCall } from './web-service-function.ts'

/** Returns the picture fields, in the order of the capture. */
export function picturesOf(site: Site): Record<string, unknown> {
  const picture = `${site.url}/theme/image.php/boost/core/1795219357/u`
  return { profileimageurlsmall: `${picture}/f2`, profileimageurl: `${picture}/f1` }
}

/** What the role may see of users, from Moodle's source (user/lib.php). Moodle silently leaves out everything else. */
export interface Visibility {
  /** First and last name; the full name is always shown. */
  names: boolean
  email: boolean
  /** User name, ID number, and profile fields that are visible to their user only. */
  details: boolean
}

export function namesOf(
  { id, username, firstname, lastname, email, hasPublicEmail }: SiteLearner,
  visible: Visibility,
): Record<string, unknown> {
  return {
    id,
    ...(visible.details && { username }),
    ...(visible.names && { firstname, lastname }),
    fullname: `${firstname} ${lastname}`,
    ...((visible.email || hasPublicEmail) && { email }),
    ...(visible.details && { department: '' }),
  }
}

export function detailsOf({ idnumber }: SiteLearner, { details }: Visibility): Record<string, unknown> {
  return details ? { idnumber } : {}
}

/** Without moodle/user:viewdetails only teachers are shown: a real course of 59 people showed one. */
export function isVisible({ may, site }: Pick<WebServiceCall, 'may' | 'site'>, learner: number): boolean {
  return may('moodle/user:viewdetails') || site.courses.values().some(({ teachers }) => teachers.has(learner))
}

/** Returns the profile fields that have a value; without any, `customfields` itself is missing. */
export function customFieldsOf(site: Site, learner: SiteLearner): Record<string, unknown> {
  const customfields = site.fields.flatMap(({ shortname, name }) => {
    const value = learner.fields.get(shortname) ?? ''
    return value === '' ? [] : [{ type: 'text', value, displayvalue: shownName(value), name, shortname }]
  })
  return customfields.length > 0 ? { customfields } : {}
}
