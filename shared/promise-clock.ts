/** When the promised reply to a request is due. (Placeholder until the promise clock is built.) */
export const replyDueAt = (received: Date): Date => new Date(received.getTime() + 4 * 60 * 60 * 1000)
