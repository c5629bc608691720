import { join } from 'node:path'
import { pino } from 'pino'
import { createFileMailer } from '../../mail/mailer.ts'
import { createOutboxWorker } from '../../outbox/outbox-worker.ts'
import type { TestApp } from './build-test-app.ts'
import { writeEmailOf } from './write-email-of.ts'

/** Starts the real worker, which writes emails to `mail/` in the data directory. `before` runs before each email. */
function startFileDelivery(site: TestApp, before: () => Promise<void> = async () => {}) {
  const mailer = createFileMailer(join(site.dataDir, 'mail'), async () => false)
  const write = writeEmailOf(site)
  const worker = createOutboxWorker({
    outbox: site.outbox,
    async deliver(email, signal) {
      await before()
      return mailer.send(await write(email), signal)
    },
    isToFiles: true,
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
  })
  worker.start()
  return worker
}

/** Delivers all waiting emails. */
export async function deliverToFiles(site: TestApp) {
  const worker = startFileDelivery(site)
  const open = () =>
    site.db.selectFrom('outbox').select('id').where('state', 'in', ['queued', 'sending']).execute()
  while ((await open()).length > 0) await new Promise((done) => setTimeout(done, 5))
  await worker.stop()
}
