// Which system confirms the events of another one, whose learner ids these events have. Pure.

/** By the name of the system that sends the events. */
export function confirmedBy({
  endpoints,
}: {
  endpoints: readonly { name: string; confirm: string | null }[]
}): Readonly<Record<string, string>> {
  return Object.fromEntries(endpoints.flatMap(({ name, confirm }) => (confirm === null ? [] : [[name, confirm]])))
}
