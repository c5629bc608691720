import type { StoredMessage } from '../../database/schema.ts'

/** Whose message or request waits for an answer, and when it came. */
export type Waiter = Pick<StoredMessage, 'receivedAt'> & { who: string }

/** Who still waits after an email of an owner. It may have been read late. */
export const stillWaiting = (
  waiting: readonly Waiter[],
  { to = [], receivedAt }: Pick<StoredMessage, 'to' | 'receivedAt'>,
): Waiter[] => waiting.filter((one) => !to.includes(one.who) || isBefore(receivedAt, one.receivedAt))

const isBefore = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one < other
