import type { Request, Response } from 'express'
import * as z from 'zod/mini'
import { contactSchema } from '#shared/contact-request.ts'
import { leadActions, leadChanges } from '#shared/inbox/lead-changes.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { answerLead } from '../leads/answers/answer-lead.ts'
import { saveDraft } from '../leads/answers/drafts.ts'
import { undoAnswer } from '../leads/answers/undo-answer.ts'
import { markSeen, noteLead, undoNote } from '../leads/change/change-lead.ts'
import { type ChangeName, changeSeveral } from '../leads/change/change-several.ts'
import { requeueFailed, retryNow } from '../outbox/resend.ts'
import { erase } from './erase.ts'
import type { InboxDeps } from './inbox-deps.ts'

const answer = z.extend(leadActions.answers, { to: z.optional(contactSchema.shape.email) })

/** Handles everything that an owner does with a lead, apart from reading it, and resends emails. */
export function leadRoutes(deps: InboxDeps) {
  const identify = (request: Request, response: Response) => ({
    reference: referenceIn(request),
    who: sessionOf(response).owner,
    /** Of the answer or note that is undone. */
    key: String(request.params.key),
  })
  /**
   * Creates a handler whose input is the body, which must match the schema, the lead in the
   * address, and the owner.
   */
  const action = <Body extends object>(
    schema: z.ZodMiniType<Body>,
    work: (input: ReturnType<typeof identify> & Body) => Promise<unknown>,
  ) =>
    send((request, response) => work({ ...identify(request, response), ...readInput(schema, request.body) }))

  return {
    /** Changes one lead or several. */
    change: (name: ChangeName) =>
      send((request, response) => {
        const change = readInput(leadChanges[name], request.body)
        return changeSeveral(deps, name, { ...change, who: sessionOf(response).owner })
      }),
    note: action(leadActions.notes, (note) => noteLead(deps, note)),
    answer: action(answer, (answer) => answerLead(deps, answer)),
    draft: action(leadActions.draft, (draft) => saveDraft(deps, draft)),
    seen: action(leadActions.seen, (input) => markSeen(deps, input)),
    undoAnswer: send((request, response) => undoAnswer(deps, identify(request, response))),
    undoNote: send((request, response) => undoNote(deps, identify(request, response))),
    erase: send((request) =>
      erase(deps, referenceIn(request), readInput(leadActions.erase, request.body).email),
    ),
    resendFailed: send(async () => {
      const resent =
        (await retryNow(deps.db, deps.now())) + (await requeueFailed(deps.db, undefined, deps.now()))
      deps.onQueued()
      return { resent }
    }),
  }
}

const referenceIn = ({ params }: Request) => String(params.reference)
