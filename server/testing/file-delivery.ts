import { join } from 'node:path'
import { pino } from 'pino'
import { createLeadStore } from '../leads/lead-store.ts'
import { ownerNotice } from '../leads/owner-notice.ts'
import { createFileMailer } from '../mail/mailer.ts'
import { createOutboxWorker } from '../outbox/outbox-worker.ts'
import type { buildTestApp } from './build-test-app.ts'

type Site = Awaited<ReturnType<typeof buildTestApp>>

/** The real worker of the app, writing real files to `mail/`; `before` can hold each mail up. */
export function startFileDelivery(site: Site, before: () => Promise<void> = async () => {}) {
  const files = createFileMailer(join(site.dataDir, 'mail'))
  const leads = createLeadStore(site.db)
  const worker = createOutboxWorker({
    outbox: site.outbox,
    mailer: {
      async send(mail, signal) {
        await before()
        return files.send(mail, signal)
      },
    },
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
    compose: async (job) =>
      ownerNotice(await leads.get(job.leadId), job, {
        mailFrom: 'site@plumbline.example',
        siteUrl: 'https://plumbline.example',
      }),
  })
  worker.wake()
  return worker
}

/** Delivers what is due, and returns when it is delivered. */
export async function deliverToFiles(site: Site) {
  const worker = startFileDelivery(site)
  const open = () =>
    site.db.selectFrom('outbox').select('id').where('state', 'in', ['queued', 'sending']).execute()
  while ((await open()).length > 0) await new Promise((done) => setTimeout(done, 5))
  await worker.stop()
}
