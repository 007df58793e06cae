// The option for zod's check of a whole group of settings. Pure.

/**
 * Without it, zod skips the check if anything else in the group is wrong, and its fault is reported only after the
 * others are fixed. A value that is not a group at all has only that fault.
 */
export const despiteOtherFaults = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}
