import { type Request, type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod/mini'
import { leadChanges } from '#shared/inbox/lead.ts'
import { readReference } from '../../leads/reference.ts'
import { requeueFailed, retryNow } from '../../outbox/requeue.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, sessionOf } from '../requests.ts'
import { answerLead } from './answer-lead.ts'
import { undoChange } from './change-lead.ts'
import { createErase } from './erase.ts'
import { followUp, judgeLead, markLead, markSeen } from './mark-lead.ts'
import { noteLead, undoNote } from './note-lead.ts'
import { saveDraft } from './save-draft.ts'
import { sendReceipt } from './send-receipt.ts'
import { undoAnswer } from './undo-answer.ts'

const uuid = z.uuid().check(z.toLowerCase())

/** The routes for everything that an owner does with a lead, apart from reading it, and for resending emails. */
export function leadRoutes(deps: InboxDeps, requireFresh: RequestHandler): Router {
  const erase = createErase(deps)
  const identify = (request: Request, response: Response) => ({
    reference: referenceIn(request),
    who: sessionOf(response).owner,
  })
  /** Creates a handler for a route such as `/leads/Q-7K3M-9QXD/state`. The body must match the schema. */
  const change =
    <Body extends object>(
      schema: z.ZodMiniType<Body>,
      work: (input: ReturnType<typeof identify> & Body) => Promise<unknown>,
    ): RequestHandler =>
    async (request, response) => {
      response.json(await work({ ...identify(request, response), ...readInput(schema, request.body) }))
    }

  return Router()
    .post(
      '/leads/:reference/state',
      change(leadChanges.state, (input) => markLead(deps, input)),
    )
    .post(
      '/leads/:reference/follow-up',
      change(leadChanges['follow-up'], (input) => followUp(deps, input)),
    )
    .post(
      '/leads/:reference/verdict',
      change(leadChanges.verdict, (input) => judgeLead(deps, input)),
    )
    .post(
      '/leads/:reference/undo',
      change(leadChanges.undo, (input) => undoChange(deps, input)),
    )
    .post(
      '/leads/:reference/notes',
      change(leadChanges.notes, (note) => noteLead(deps, note)),
    )
    .post(
      '/leads/:reference/answers',
      change(leadChanges.answers, (answer) => answerLead(deps, answer)),
    )
    .put(
      '/leads/:reference/draft',
      change(leadChanges.draft, (draft) => saveDraft(deps, draft)),
    )
    .post('/leads/:reference/seen', async (request, response) => {
      response.json(await markSeen(deps, identify(request, response)))
    })
    .post('/leads/:reference/receipt', async (request, response) => {
      response.json(await sendReceipt(deps, referenceIn(request)))
    })
    .post('/leads/:reference/answers/:key/undo', async (request, response) => {
      response.json(await undoAnswer(deps, { ...identify(request, response), key: keyIn(request) }))
    })
    .post('/leads/:reference/notes/:key/undo', async (request, response) => {
      response.json(await undoNote(deps, { ...identify(request, response), key: keyIn(request) }))
    })
    .post('/leads/:reference/erase', requireFresh, async (request, response) => {
      const { email } = readInput(leadChanges.erase, request.body)
      response.json(await erase(referenceIn(request), email))
    })
    .post('/mail/resend', async (_request, response) => {
      const resent =
        (await retryNow(deps.db, deps.now())) + (await requeueFailed(deps.db, undefined, deps.now()))
      deps.onQueued()
      response.json({ resent })
    })
}

function referenceIn({ params }: Request): string {
  const reference = readReference(String(params.reference))
  if (!reference) throw new Problem('not_found', 'There is no such lead.')
  return reference
}

function keyIn({ params }: Request): string {
  const key = uuid.safeParse(params.key)
  if (!key.success) throw new Problem('not_found', 'There is nothing with this key.')
  return key.data
}
