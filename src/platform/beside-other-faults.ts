// The option for a check of a whole group of settings by zod. Pure.

/**
 * Without it, zod skips the check if anything else in the group is wrong, and its fault is reported only after the
 * others are fixed. What is no group has that fault alone.
 */
export const besideOtherFaults = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}
