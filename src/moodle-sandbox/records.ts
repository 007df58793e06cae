// What the learning system keeps: its learners, its courses, who has done what. All times in seconds since 1970.

export interface Learner {
  id: number
  username: string
  firstname: string
  lastname: string
  /** Kept and searched as it is written: Moodle minds its case. */
  email: string
  /** Empty for none. */
  idnumber: string
  /** Values of the profile fields, by short name. */
  fields: Map<string, string>
}

/** An activity of the course that must be completed; a page in this sandbox, as in the captures. */
export interface Criterion {
  /** Course module. */
  cmid: number
  title: string
  idnumber: string
}

export interface Progress {
  /** When each course module was ticked. */
  ticks: Map<number, number>
  /** The completion as Moodle's table has it: the time is the latest criterion's, the id is new each time. */
  completion: { id: number; at: number } | null
}

export interface Mark {
  id: number
  grade: number | null
  /** HTML in an assignment's comment, plain text in a score's. */
  feedback: string
  feedbackFormat: number
  createdAt: number
  modifiedAt: number
}

/** A column of the gradebook, with a mark for each learner who has one. */
export interface GradeItem {
  id: number
  cmid: number
  module: 'assign' | 'lti'
  /** Number of the assignment, or of the LTI activity. */
  instance: number
  name: string
  idnumber: string
  marks: Map<number, Mark>
}

/** Its own grades are another table than the gradebook's: capture 41 knows nothing of what capture 42 wrote. */
export interface Assignment {
  /** The item's `instance`. */
  id: number
  item: GradeItem
  grades: Map<number, Mark>
}

export interface Course {
  id: number
  contextid: number
  idnumber: string
  shortname: string
  fullname: string
  criteria: readonly Criterion[]
  enrolled: Set<number>
  progress: Map<number, Progress>
  totalItemId: number
  assignment: Assignment | null
  lineItem: GradeItem | null
}

export interface ProfileField {
  shortname: string
  name: string
}
