import express from 'express'
import request from 'supertest'
import { changeRoutes } from '../../app.ts'
import { listOf } from '../../database/migrations/001-first.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { leadRoutes } from '../../inbox/leads/lead-routes.ts'
import { setSession } from '../../inbox/requests.ts'
import type { TestApp } from './build-test-app.ts'

export const anna = 'anna@agency.example'
export const bob = 'bob@agency.example'

/** Returns functions that store leads, and that read leads, their history and their drafts. */
export function leadTools(site: TestApp) {
  let messages = 0
  const read = (reference: string) =>
    site.db.selectFrom('leads').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

  return {
    read,
    submit: async (changes = {}): Promise<string> =>
      (await site.submit({ message: `Message ${++messages}`, ...changes })).reference,
    /** Gives a lead a spam score that makes it suspected spam. */
    suspect: (reference: string) =>
      site.db.updateTable('leads').set({ spam_score: 12 }).where('reference', '=', reference).execute(),
    history: async (reference: string) => {
      const { id } = await read(reference)
      return site.db
        .selectFrom('lead_events')
        .select(['who', 'what', 'from_value', 'to_value', 'text'])
        .where('lead_id', '=', id)
        .orderBy('id')
        .execute()
    },
    /** The references of the leads in one of the inbox's lists, most urgent first. */
    listed: async (list: string) => {
      const leads = site.db.selectFrom('leads').select('reference').where(listOf, '=', list)
      return (await leads.orderBy('sort_key').execute()).map(({ reference }) => reference)
    },
    drafts: () => site.db.selectFrom('lead_drafts').select(['owner', 'text']).execute(),
  }
}

/** Serves the inbox's lead routes to a signed-in owner. */
export function routesFor(
  site: TestApp,
  owner = anna,
  requireFresh: express.RequestHandler = (_q, _s, next) => next(),
) {
  const app = express()
    .use(express.json({ limit: '128kb' }))
    .use((_request, response, next) => {
      setSession(response, {
        id: 'session',
        owner,
        browser: '',
        signed_in_at: '',
        seen_at: '',
      })
      next()
    })
    .use(changeRoutes(leadRoutes(site.inboxDeps), requireFresh))
    .use(errorHandler(site.inboxDeps.log, ''))
  return {
    post: (path: string, body: unknown = {}) =>
      request(app)
        .post(path)
        .send(body as object),
    put: (path: string, body: unknown) =>
      request(app)
        .put(path)
        .send(body as object),
  }
}
