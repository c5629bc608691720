import { createWriteEmail } from '../../write-email.ts'
import type { TestApp } from './build-test-app.ts'

/** The function that writes what the emails of a test's site say. */
export const writeEmailOf = ({ db, inboxDeps, clock }: TestApp, changes = {}) =>
  createWriteEmail({
    db,
    mailFrom: { address: 'site@agency.example' },
    siteUrl: 'https://agency.example',
    hasInbox: true,
    sendsReminders: true,
    budget: inboxDeps.budget,
    now: () => clock.now,
    ...changes,
  })
