// The functions that the sandbox implements, by Moodle's names.

import { getGrades, saveGrade } from './assignment-grades.ts'
import { completionStatus } from './completion-status.ts'
import { coursesByField } from './courses-by-field.ts'
import { enrolledUsers } from './enrolled-users.ts'
import { getAssignments } from './get-assignments.ts'
import { gradeItems } from './grade-items.ts'
import { retrieveReport } from './retrieve-report.ts'
import { siteInfo } from './site-info.ts'
import { updateGrades } from './update-grades.ts'
import { updateUsers } from './update-users.ts'
import { usersByField } from './users-by-field.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const knownFunctions: ReadonlyMap<string, WebServiceFunction> = new Map([
  ['core_webservice_get_site_info', siteInfo],
  ['core_course_get_courses_by_field', coursesByField],
  ['core_enrol_get_enrolled_users', enrolledUsers],
  ['core_completion_get_course_completion_status', completionStatus],
  ['core_reportbuilder_retrieve_report', retrieveReport],
  ['core_user_get_users_by_field', usersByField],
  ['core_user_update_users', updateUsers],
  ['mod_assign_get_assignments', getAssignments],
  ['mod_assign_save_grade', saveGrade],
  ['mod_assign_get_grades', getGrades],
  ['core_grades_update_grades', updateGrades],
  ['gradereport_user_get_grade_items', gradeItems],
])
