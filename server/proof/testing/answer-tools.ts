import { answerLead, undoAnswer } from '../../inbox/leads/answer-lead.ts'
import type { TestApp } from './build-test-app.ts'
import { anna, leadTools } from './lead-tools.ts'

/** The idempotency key of the answers below, unless a test sets another one. */
export const answerKey = '019c0000-0000-7000-8000-0000000000aa'

/** Returns functions that answer leads as Anna and undo her answers. */
export function answerTools(site: TestApp) {
  const { read } = leadTools(site)
  return {
    answer: async (reference: string, changes = {}) =>
      answerLead(site.inboxDeps, {
        reference,
        who: anna,
        key: answerKey,
        text: 'Yes, we can.',
        base: null,
        version: (await read(reference)).version,
        ...changes,
      }),
    undo: (reference: string, changes = {}) =>
      undoAnswer(site.inboxDeps, { reference, who: anna, key: answerKey, ...changes }),
  }
}

const smtp = (responseCode: number, response: string) =>
  Object.assign(new Error('no'), { responseCode, command: 'RCPT TO', response })

/** Creates a delivery function that acts as if the mail server refused answers but accepted all other emails. */
export const refuse = (responseCode: number, response: string) => async (job: { kind: string }) => {
  if (job.kind === 'answer') throw smtp(responseCode, response)
  return '250 ok'
}
