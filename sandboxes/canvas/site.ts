// The course of the Canvas sandbox: its modules and learners, and the progress that Canvas derives from them. In memory.

/** Permissions of an account role, by Canvas's own names. */
export type CanvasPermission =
  | 'read_course_content'
  | 'view_all_grades'
  | 'read_roster'
  | 'read_email_addresses'
  | 'read_sis'
  | 'view_user_logins'

export interface CanvasModule {
  id: number
  /** The items; only those that are required count for a completion. */
  items: { id: number; required: boolean }[]
  /** One of the required items is enough. */
  needsOne: boolean
  /** Before this time the module is locked. */
  unlockAt: Date | null
}

/** What Canvas has stored about a learner and a module, once the module was evaluated or an item was done. */
interface Progression {
  met: Set<number>
  state: 'locked' | 'unlocked' | 'started' | 'completed'
  completedAt: string | null
}

export interface SiteLearner {
  id: string
  name: string
  sortable_name: string
  sis_user_id: string | null
  login_id: string | null
  email: string | null
  enrollment: 'active' | 'invited' | 'completed' | 'inactive' | 'deleted'
  section: number
  isTestStudent: boolean
  progressions: Map<number, Progression>
}

export class CanvasCourse {
  readonly id = 7
  readonly sis_course_id = 'CS/101.11é'
  readonly name = 'Fire & safety'
  workflow_state: 'available' | 'completed' = 'available'
  readonly modules: CanvasModule[] = [1, 2].map((id) => newModule(id))
  readonly learners = new Map<string, SiteLearner>()
  /** Permissions that the role of the account lacks. */
  readonly forbidden = new Set<CanvasPermission>()
  /** The only section that the account sees; null for all. */
  section: number | null = null

  /** Learners whom the account sees, in one of these states. The Test Student is not among them. */
  seen(...states: SiteLearner['enrollment'][]): SiteLearner[] {
    return [...this.learners.values()].filter((learner) => this.sees(learner, ...states))
  }

  sees({ enrollment, section, isTestStudent }: SiteLearner, ...states: SiteLearner['enrollment'][]): boolean {
    return states.includes(enrollment) && !isTestStudent && (this.section === null || section === this.section)
  }

  addModule(more: Partial<CanvasModule> = {}): CanvasModule {
    const added = { ...newModule(this.modules.length + 1), ...more }
    this.modules.push(added)
    return added
  }

  /** Marks required items of the modules as done, up to `count`, without evaluating any module. */
  meet(learner: SiteLearner, count = Number.POSITIVE_INFINITY): void {
    let left = count
    for (const each of this.modules)
      for (const { id, required } of each.items) if (required && left-- > 0) progressionOf(learner, each).met.add(id)
  }

  /** What Canvas does when a module page is opened, or read for one student: locked modules stay so. */
  evaluate(learner: SiteLearner, at: Date, modules: readonly CanvasModule[] = this.modules): void {
    for (const each of modules) {
      const progression = progressionOf(learner, each)
      if (each.unlockAt !== null && at < each.unlockAt) progression.state = 'locked'
      else if (isMet(each, progression.met)) {
        progression.state = 'completed'
        progression.completedAt ??= at.toISOString()
      } else progression.state = progression.met.size > 0 ? 'started' : 'unlocked'
    }
  }

  /** A module without a required item is evaluated only when somebody opens it. */
  complete(learner: SiteLearner, at: Date): void {
    this.meet(learner)
    this.evaluate(
      learner,
      at,
      this.modules.filter(({ items }) => items.some(({ required }) => required)),
    )
  }

  get requirementCount(): number {
    return this.modules.flatMap(({ items }) => items.filter(({ required }) => required)).length
  }

  /** The time is the latest of all modules, and is there although a module that was never evaluated is open. */
  progressOf({ progressions }: SiteLearner) {
    const evaluated = this.modules.flatMap((each) => progressions.get(each.id) ?? [])
    const isCompleted = this.modules.every((each) => {
      const progression = progressions.get(each.id)
      return !progression || isMet(each, progression.met)
    })
    const times = evaluated.flatMap(({ completedAt }) => completedAt ?? []).toSorted()
    return {
      requirement_count: this.requirementCount,
      requirement_completed_count: evaluated.reduce((sum, { met }) => sum + met.size, 0),
      next_requirement_url: null,
      completed_at: (isCompleted && times.at(-1)) || null,
    }
  }
}

function newModule(id: number): CanvasModule {
  return { id, items: [{ id: 10 * id, required: true }], needsOne: false, unlockAt: null }
}

function progressionOf({ progressions }: SiteLearner, { id }: CanvasModule): Progression {
  const found = progressions.get(id) ?? { met: new Set(), state: 'unlocked' as const, completedAt: null }
  progressions.set(id, found)
  return found
}

function isMet({ items, needsOne }: CanvasModule, met: ReadonlySet<number>): boolean {
  const required = items.filter((each) => each.required)
  return needsOne ? required.some(({ id }) => met.has(id)) : required.every(({ id }) => met.has(id))
}
