import type { ContactRequest } from '#shared/contact-request.ts'
import { samplePlan } from './sample-plan.ts'

/** A complete, valid request with `changes`. */
export const sampleRequest = (changes: Partial<ContactRequest> = {}): ContactRequest => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '(312) 555-0199',
  company: 'Analytical Roofing',
  website: 'https://analytical.example',
  budget: samplePlan.id,
  message: 'We need a new site.\nWhen can you start?',
  ...changes,
})
