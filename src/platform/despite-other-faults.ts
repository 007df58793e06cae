// An option for zod refinements that check a whole group of settings. Pure.

/**
 * Runs the check even if another setting in the group is invalid. By default, zod skips it then, and its fault is
 * reported only after the others are fixed. The check is still skipped for a value that is not an object.
 */
export const despiteOtherFaults = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}
