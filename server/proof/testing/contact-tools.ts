import request from 'supertest'
import { formTokenPath } from '#shared/contact-request.ts'
import type { TestApp } from './build-test-app.ts'
import { postContact } from './post-contact.ts'

/** Returns functions that post to the app's contact endpoint and read what was stored. */
export function contactTools(site: TestApp) {
  const leads = () => site.db.selectFrom('leads').selectAll().orderBy('id').execute()
  return {
    leads,
    emails: () => site.db.selectFrom('outbox').selectAll().execute(),
    verdicts: async () => (await leads()).map((lead) => [lead.spam_score, lead.spam_reasons]),
    post: (body?: object | string, headers?: Record<string, string>) => postContact(site.app, body, headers),
    issueToken: async () => (await request(site.app).get(formTokenPath).expect(200)).text,
  }
}
