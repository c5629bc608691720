import type { OfficeFacts } from '#shared/time/office-hours.ts'

/**
 * An office in New York with two years of holidays, for calendar tests, which must not depend on
 * our own facts.
 */
export const exampleOffice: OfficeFacts = {
  hours: {
    days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    opens: '08:00',
    closes: '18:00',
    timeZone: 'America/New_York',
  },
  closedOn: [
    ...['2026-01-01', '2026-05-25', '2026-07-03', '2026-09-07', '2026-11-26', '2026-12-25'],
    ...['2027-01-01', '2027-05-31', '2027-07-05', '2027-09-06', '2027-11-25', '2027-12-24', '2027-12-31'],
  ],
  responseTimes: { emailReplyOfficeHours: 4, quoteWorkdays: 1 },
}
