// The records of the learning system: learners, courses, progress and grades. Types only. Times are in seconds since
// 1970.

export interface SiteLearner {
  id: number
  username: string
  firstname: string
  lastname: string
  /** Stored and searched as written: Moodle is case-sensitive here. */
  email: string
  /** True if everyone may see the address (the preference maildisplay). */
  hasPublicEmail?: boolean
  /** Empty if there is none. */
  idnumber: string
  /** True if the learner can no longer sign in; enrollments and completions are unchanged. */
  suspended?: boolean
  /** True if an administrator deleted the account: Moodle keeps its row, and shows it to nobody. */
  deleted?: boolean
  /** Values of the profile fields, by short name. */
  fields: Map<string, string>
}

/** An activity of the course that must be completed; a page in this sandbox, as in the captures. */
export interface Criterion {
  /** The course module's id. */
  cmid: number
  title: string
  idnumber: string
}

export interface SiteProgress {
  /** When each course module was ticked. */
  ticks: Map<number, number>
  /** The completion as in Moodle's table: the time is that of the latest criterion, and the id is new each time. */
  completion: { id: number; at: number } | null
}

export interface SiteGrade {
  id: number
  grade: number | null
  /** HTML for the comment of an assignment, plain text for that of a score. */
  feedback: string
  feedbackFormat: number
  createdAt: number
  modifiedAt: number
}

/** A column of the gradebook, with the marks of its learners. */
export interface GradeItem {
  id: number
  cmid: number
  module: 'assign' | 'lti'
  /** The id of the assignment, or of the LTI activity. */
  instance: number
  name: string
  idnumber: string
  maxGrade: number
  marks: Map<number, SiteGrade>
}

/**
 * The grades of an assignment are in a different table from those of the gradebook: capture 41 does not show what
 * capture 42 wrote.
 */
export interface Assignment {
  /** The same as the `instance` of the item. */
  id: number
  item: GradeItem
  grades: Map<number, SiteGrade>
}

export interface SiteCourse {
  id: number
  contextid: number
  idnumber: string
  shortname: string
  fullname: string
  criteria: readonly Criterion[]
  enrolled: Set<number>
  /** The enrolled users who are teachers and not learners. */
  teachers: Set<number>
  separateGroups: boolean
  progress: Map<number, SiteProgress>
  totalItemId: number
  assignment: Assignment | null
  lineItem: GradeItem | null
}

export interface ProfileField {
  shortname: string
  name: string
}
