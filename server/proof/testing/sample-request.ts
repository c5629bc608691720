import type { ContactRequest } from '#shared/contact-request.ts'

/** A complete, valid request with `changes`. */
export const sampleRequest = (changes: Partial<ContactRequest> = {}): ContactRequest => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '(312) 555-0199',
  company: 'Analytical Roofing',
  website: 'https://analytical.example',
  budget: 'professional',
  message: 'We need a new site.\nWhen can you start?',
  ...changes,
})
