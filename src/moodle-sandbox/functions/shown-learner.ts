// A learner's record as the functions that show people write it (capture 21).

import type { Learner } from '../records.ts'
import type { Site } from '../site.ts'
import { shownName } from '../site-text.ts'

/** The fields that both functions answer, in the order of the capture. */
export function picturesOf(site: Site): Record<string, unknown> {
  const picture = `${site.url}/theme/image.php/boost/core/1795219357/u`
  return { profileimageurlsmall: `${picture}/f2`, profileimageurl: `${picture}/f1` }
}

export function namesOf({ id, username, firstname, lastname, email }: Learner): Record<string, unknown> {
  return { id, username, firstname, lastname, fullname: `${firstname} ${lastname}`, email, department: '' }
}

/** Fields that hold something; the member itself is missing where none does. */
export function customFieldsOf(site: Site, learner: Learner): Record<string, unknown> {
  const customfields = site.fields.flatMap(({ shortname, name }) => {
    const value = learner.fields.get(shortname) ?? ''
    return value === '' ? [] : [{ type: 'text', value, displayvalue: shownName(value), name, shortname }]
  })
  return customfields.length > 0 ? { customfields } : {}
}
