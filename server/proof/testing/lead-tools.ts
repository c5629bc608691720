import { listOf } from '../../database/migrations/001-first.ts'
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
