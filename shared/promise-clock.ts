/** When the promised reply to a request is due. (Placeholder until the promise clock is built.) */
export const replyDueAt = (received: Date): Date => new Date(received.getTime() + 4 * 60 * 60 * 1000)

/** For how many minutes the office is open between two times; 0 in the wrong order. (Placeholder, too.) */
export const officeMinutesBetween = (from: Date, until: Date): number =>
  Math.max(0, until.getTime() - from.getTime()) / 60_000
