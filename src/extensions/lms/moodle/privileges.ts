// The Moodle web service functions that the external service must contain, and the capabilities that the role of its
// account needs. Pure.

/** A feature that needs privileges. The functions of a feature that is not used are not needed. */
export type PrivilegeArea = 'reading' | 'report' | 'profile' | 'assignment'

export interface Privilege {
  /** The web service function, as the external service lists it. */
  name: string
  part: PrivilegeArea
  neededFor: string
  /** Capabilities for the role of the account. */
  capabilities: readonly string[]
}

/** Needed by every account that makes calls. */
export const generalCapabilities: readonly string[] = ['webservice/rest:use', 'moodle/course:view']

const seePeople = [
  'moodle/user:viewdetails',
  'moodle/user:viewalldetails',
  'moodle/site:viewfullnames',
  'moodle/course:useremail',
  'moodle/site:viewuseridentity',
] as const

/**
 * These functions and capabilities worked on a real Moodle 4.5.6; the set was not minimized. Tests on that Moodle
 * showed that `moodle/course:enrolreview` is needed: without it, the list of enrolled users with `onlyactive` fails
 * with `nopermissions`. `moodle/site:viewfullnames` is from Moodle's source: user/lib.php returns first and last names
 * only with it.
 */
export const privileges: readonly Privilege[] = [
  {
    name: 'core_webservice_get_site_info',
    part: 'reading',
    neededFor: 'checking what the token may call',
    capabilities: [],
  },
  {
    name: 'core_course_get_courses_by_field',
    part: 'reading',
    neededFor: 'finding a course by its ID number',
    capabilities: [],
  },
  {
    name: 'core_enrol_get_enrolled_users',
    part: 'reading',
    neededFor: 'listing the learners of a course',
    capabilities: [
      'moodle/course:viewparticipants',
      'moodle/course:enrolreview',
      'moodle/site:accessallgroups',
      ...seePeople,
    ],
  },
  {
    name: 'core_completion_get_course_completion_status',
    part: 'reading',
    neededFor: 'reading whether and when a learner completed a course',
    capabilities: ['report/completion:view', 'moodle/site:accessallgroups'],
  },
  {
    name: 'core_user_get_users_by_field',
    part: 'reading',
    neededFor: 'finding a learner, and reading profile fields back',
    capabilities: seePeople,
  },
  {
    name: 'core_reportbuilder_retrieve_report',
    part: 'report',
    neededFor: 'finding new completions with one call instead of one for each learner',
    capabilities: ['moodle/reportbuilder:view', 'moodle/reportbuilder:viewall'],
  },
  {
    name: 'core_user_update_users',
    part: 'profile',
    neededFor: 'writing the credential into profile fields',
    capabilities: ['moodle/user:update'],
  },
  {
    name: 'mod_assign_save_grade',
    part: 'assignment',
    neededFor: 'writing grade and comment into an assignment',
    capabilities: ['mod/assign:view', 'mod/assign:grade', 'moodle/grade:edit'],
  },
  {
    name: 'mod_assign_get_grades',
    part: 'assignment',
    neededFor: 'reading the grade of an assignment back',
    capabilities: ['mod/assign:view', 'mod/assign:viewgrades'],
  },
  {
    name: 'gradereport_user_get_grade_items',
    part: 'assignment',
    neededFor: 'finding an assignment by its ID number, and reading its comment back',
    capabilities: ['gradereport/user:view', 'moodle/grade:viewall'],
  },
]

/** The capabilities for one function, as text for a message. */
export function capabilitiesFor(name: string): string {
  const own = privileges.find((privilege) => privilege.name === name)?.capabilities ?? []
  return [...generalCapabilities, ...own].join(', ')
}
